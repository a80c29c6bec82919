// SPDX-License-Identifier: Apache-2.0
import WebAuthn

/// Credentials and signatures.
extension AuthenticatorMachine {
    /// The algorithms of new credentials, best first.
    var algorithms: [COSEAlgorithm] {
        hardware == nil ? CredentialPrivateKey.algorithms : [.es256]
    }

    /// The number of discoverable credentials that can still be stored.
    var remainingCredentials: Int {
        max(0, configuration.maximumDiscoverableCredentials - state.credentials.count)
    }

    /// The keys that are derived from the credential key. Only a reset changes them, and a reset
    /// replaces the session that caches them.
    var wrapping: CredentialWrapping {
        mutating get {
            if let cached = session.wrapping { return cached }
            let derived = CredentialWrapping(state.credentialKey)
            session.wrapping = derived
            return derived
        }
    }

    /// Returns the credential with this id; `nil` if it belongs to another key or relying party.
    mutating func credential(
        _ descriptor: CTAPCredentialDescriptor, rpIdHash: [UInt8]
    ) -> AuthenticatorCredential? {
        guard descriptor.type == CTAPCredentialDescriptor.publicKey else { return nil }
        return state.credentials.first { $0.id == descriptor.id && $0.rpIdHash == rpIdHash }
            ?? wrapping.credential(id: descriptor.id, rpIdHash: rpIdHash)
    }

    /// Returns the counter of the next signature, which is durable before the signature exists.
    mutating func nextSignCount() throws(CTAPStatus) -> UInt32 {
        if configuration.misbehaviour.contains(.frozenCounter) { return 1 }
        try commit { $0.signCount = $0.signCount == .max ? .max : $0.signCount + 1 }
        return state.signCount
    }
}
