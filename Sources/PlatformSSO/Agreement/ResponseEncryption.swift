// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The requested encryption of the response: the device's key and the party information (Apple
/// "Creating a JSON Web Encryption (JWE) login response").
package struct ResponseEncryption: Sendable, Equatable {
    /// The device encryption key, on P-256.
    package let recipient: PublicJWK
    /// `jwe_crypto.apv` of the request, byte for byte.
    package let apv: [UInt8]

    package init(recipient: PublicJWK, apv: [UInt8]) {
        self.recipient = recipient
        self.apv = apv
    }

    /// The compact JWE of `payload`: a fresh ephemeral key, `apu` that names it, and `apv` in the
    /// header as well, so that any JOSE library can open it.
    ///
    /// - Throws: `failure` when the library below fails, `keyMismatch` when the recipient is not on
    ///   P-256.
    package func seal(
        _ payload: [UInt8], type: MessageType, random: some RandomSource
    ) throws(JOSEError) -> [UInt8] {
        try EncryptedMessage.seal(
            payload, type: type, to: recipient, apv: apv, members: [], random: random)
    }
}

/// The encryption to one key of the other party, the same in both directions.
enum EncryptedMessage {
    /// Builds the JWE by hand, because `apu` contains the ephemeral key, which must exist before
    /// the header.
    static func seal(
        _ payload: [UInt8], type: MessageType, to recipient: PublicJWK, apv: [UInt8],
        members: [JSONObject.Member], random: some RandomSource
    ) throws(JOSEError) -> [UInt8] {
        guard recipient.isP256 else {
            throw JOSEError(.keyMismatch, "responses are encrypted to keys on P-256")
        }
        let ephemeral: PrivateJWK
        do { ephemeral = try KeyAgreement.ephemeral(for: recipient, random: random) } catch {
            throw error as? JOSEError ?? JOSEError(.failure, "no ephemeral key: \(error)")
        }
        let name = KeyParameters(keyID: KeyIdentifier(recipient).description)
        let encrypter = try JWEEncrypter(
            key: .publicKey(recipient.with(name)), algorithm: .ecdhES, encryption: .a256GCM)
        let options = JWEEncrypter.Options(
            type: type.rawValue, apu: PartyInfo.sender(ephemeral: ephemeral.publicKey).bytes,
            apv: apv, ephemeral: ephemeral, members: members)
        return try encrypter.encrypt(payload, options: options, random: random)
    }
}
