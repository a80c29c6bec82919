// SPDX-License-Identifier: Apache-2.0
import ProviderInstallations

extension FuzzTarget {
    /// What an operator's identity provider answers is read or refused, and never traps.
    static let identityProviderAnswer = FuzzTarget(name: "identity-provider-answer") { bytes in
        guard let answer = CustomProviderResponse(json: bytes) else { return }
        precondition(CustomProviderResponse(json: bytes) == answer, "read in two ways")
    }
}
