// SPDX-License-Identifier: Apache-2.0
import JOSE

/// Whether a new passkey supports a large blob.
public struct ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput: Hashable, Sendable {
    /// Whether it can.
    public var isSupported: Bool

    init?(_ results: JSONObject) {
        guard let isSupported = results["largeBlob"]?["supported"]?.bool else { return nil }
        self.isSupported = isSupported
    }
}
