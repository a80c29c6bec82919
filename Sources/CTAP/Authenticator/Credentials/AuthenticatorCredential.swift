// SPDX-License-Identifier: Apache-2.0

/// A credential of the software key: in its store if it is discoverable, else inside its encrypted
/// id.
package struct AuthenticatorCredential: Sendable {
    /// The additional data of a discoverable credential.
    package struct Discoverable: Sendable {
        package var rp: CTAPRelyingParty
        package var user: CTAPUser
        /// A number that rises with each credential. The newest credential comes first.
        package var order: UInt64
        /// The data of credBlob; empty if there is none.
        package var blob: [UInt8] = []
        package var largeBlobKey: [UInt8]?
    }

    package var id: [UInt8]
    /// SHA-256 of the RP ID.
    package var rpIdHash: [UInt8]
    package var key: CredentialPrivateKey
    package var protection = CredentialProtection.userVerificationOptional
    /// Whether it may be used for payments outside its relying party (thirdPartyPayment).
    package var thirdPartyPayment = false
    package var discoverable: Discoverable?

    package var descriptor: CTAPCredentialDescriptor { CTAPCredentialDescriptor(id: id) }
}
