// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// An encrypted answer of the provider as a device receives it, not yet opened (Apple "Processing
/// the JSON Web Encryption (JWE) login response").
///
/// The device may hold its key in hardware: such a key agrees with ``ephemeralKey`` there, and the
/// result goes to ``open(sharedSecret:apv:)``.
package struct SealedResponse: Sendable {
    /// The provider's key, one for each message; `apu` was checked to name it.
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
            throw PlatformSSORefusal(.ephemeralKeyMalformed, "epk is no public key on P-256")
        }
        let expected = PartyInfo.sender(ephemeral: key).bytes
        guard header.members["apu"]?.string.flatMap({ Base64URL.decode($0) }) == expected else {
            throw PlatformSSORefusal(.apuMismatch, "apu does not name the ephemeral key")
        }
        ephemeralKey = key
        apu = expected
    }

    /// `apv` as the header has it, which a provider may leave out.
    package var statedAPV: [UInt8]? {
        header.members["apv"]?.string.flatMap { Base64URL.decode($0) }
    }

    /// The content.
    ///
    /// - Parameters:
    ///   - sharedSecret: What the device encryption key agreed on with ``ephemeralKey``, 32 bytes.
    ///   - apv: What the device asked for in `jwe_crypto`; what the header says does not matter.
    /// - Throws: `decryptionFailed`, `malformed` when the content is no JSON object.
    package func open(
        sharedSecret: [UInt8], apv: [UInt8]
    ) throws(PlatformSSORefusal) -> JSONObject {
        guard let key = ContentKey.derive(sharedSecret: sharedSecret, apu: apu, apv: apv),
            let plaintext = try? jwe.open(contentKey: key)
        else { throw PlatformSSORefusal(.decryptionFailed, "the answer cannot be decrypted") }
        return try MessageClaims(payload: plaintext).members
    }

    /// As ``open(sharedSecret:apv:)``, with a key that is at hand.
    package func open(
        with key: PrivateJWK, apv: [UInt8]
    ) throws(PlatformSSORefusal) -> JSONObject {
        let secret = try? KeyAgreement.sharedSecret(key, ephemeralKey)
        return try open(sharedSecret: secret ?? [], apv: apv)
    }
}
