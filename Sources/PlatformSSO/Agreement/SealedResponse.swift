// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// An encrypted response of the provider as a device receives it, not yet decrypted (Apple
/// "Processing the JSON Web Encryption (JWE) login response").
///
/// The device's key may be in hardware: such a key performs the agreement with ``ephemeralKey``
/// there, and the result is passed to ``open(sharedSecret:apv:)``.
package struct SealedResponse: Sendable {
    /// The provider's key, one for each message; `apu` was verified to contain it.
    package let ephemeralKey: PublicJWK
    package let header: JOSEHeader
    private let jwe: UnverifiedJWE
    private let apu: [UInt8]

    /// Reads the compact serialisation.
    ///
    /// - Throws: `tooLarge`, `malformed`, `hpkeNotOffered`, `algorithmNotAllowed`,
    ///   `ephemeralKeyMalformed`, `apuMismatch`.
    package init(compact bytes: [UInt8]) throws(PlatformSSORefusal) {
        try UnsupportedHPKE.refuse(compact: bytes)
        do throws(JOSEError) { jwe = try UnverifiedJWE(compact: bytes) } catch {
            throw PlatformSSORefusal(error)
        }
        header = jwe.header
        guard JWEAlgorithm(exactly: header.algorithm) == .ecdhES, jwe.isEncrypted(by: .a256GCM)
        else {
            throw PlatformSSORefusal(.algorithmNotAllowed, "not ECDH-ES with A256GCM")
        }
        guard let epk = header.members["epk"]?.object,
            case .publicKey(let key) = try? JSONWebKey(epk), key.isP256
        else {
            throw PlatformSSORefusal(.ephemeralKeyMalformed, "epk is not a public key on P-256")
        }
        let expected = PartyInfo.sender(ephemeral: key).bytes
        guard header.members["apu"]?.string.flatMap({ Base64URL.decode($0) }) == expected else {
            throw PlatformSSORefusal(.apuMismatch, "apu does not name the ephemeral key")
        }
        ephemeralKey = key
        apu = expected
    }

    /// `apv` of the header, which a provider may omit.
    package var statedAPV: [UInt8]? {
        header.members["apv"]?.string.flatMap { Base64URL.decode($0) }
    }

    /// Decrypts the content.
    ///
    /// - Parameters:
    ///   - sharedSecret: The key agreement of the device encryption key with ``ephemeralKey``, 32
    ///     bytes.
    ///   - apv: The value that the device requested in `jwe_crypto`; the header's is ignored.
    /// - Throws: `decryptionFailed`; `malformed` if the content is not a JSON object.
    package func open(
        sharedSecret: [UInt8], apv: [UInt8]
    ) throws(PlatformSSORefusal) -> JSONObject {
        guard let key = ContentKey.derive(sharedSecret: sharedSecret, apu: apu, apv: apv),
            let plaintext = try? jwe.open(contentKey: key)
        else { throw PlatformSSORefusal(.decryptionFailed, "the response cannot be decrypted") }
        return try MessageClaims(payload: plaintext).members
    }

    /// Decrypts as ``open(sharedSecret:apv:)``, with an available private key.
    package func open(
        with key: PrivateJWK, apv: [UInt8]
    ) throws(PlatformSSORefusal) -> JSONObject {
        let secret = try? KeyAgreement.sharedSecret(key, ephemeralKey)
        return try open(sharedSecret: secret ?? [], apv: apv)
    }
}
