// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Why no certificates vouch for a key on Linux. Not of Apple's API, where the vendor of the hardware
/// certifies its keys.
public enum ASAuthorizationProviderExtensionAttestationError: Error, LocalizedError, Hashable,
    Sendable
{
    /// The key is in a TPM, which signs a statement of it and writes no certificates: it is what
    /// `attestationStatement(ofType:clientDataHash:isPending:)` of the login manager gives.
    case statementOnly
    /// The key is in a file or on a token: nothing vouches for it.
    case notInHardware

    /// What happened and what to do, for a developer.
    public var errorDescription: String? {
        switch self {
        case .statementOnly:
            "The TPM has a statement of this key and no certificates: attestationStatement(ofType:)."
        case .notInHardware: "The key is in no TPM, and nothing vouches for it."
        }
    }
}
