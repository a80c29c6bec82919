// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The assertion in a login request: signed by the person's key, or encrypted to the provider with
/// a password. It is not verified.
package enum UnverifiedEmbeddedAssertion: Sendable {
    case signed(UnverifiedSignedAssertion)
    case encrypted(UnverifiedEncryptedAssertion)

    /// Three parts are a signature, five are encryption.
    ///
    /// - Throws: `assertionMalformed`, `hpkeNotOffered`, `algorithmNotAllowed`,
    ///   `certificateMalformed`.
    init(compact bytes: [UInt8]) throws(PlatformSSORefusal) {
        switch bytes.count(where: { $0 == UInt8(ascii: ".") }) {
        case 2: self = .signed(try UnverifiedSignedAssertion(compact: bytes))
        case 4: self = .encrypted(try UnverifiedEncryptedAssertion(compact: bytes))
        default:
            throw PlatformSSORefusal(
                .assertionMalformed, "the assertion has neither three parts nor five")
        }
    }
}

/// An assertion of a Secure Enclave key or a smart card, unverified (Apple "Creating an embedded
/// assertion").
package struct UnverifiedSignedAssertion: Sendable {
    let jws: UnverifiedJWS
    let claims: MessageClaims
    /// The claimed user key; smart cards may be identified by ``certificates`` alone.
    package let keyID: KeyIdentifier?
    /// The card's certificates in DER, the leaf first. Validate them and map them to a person
    /// before you create a ``UserKey/smartCard(_:certificate:)``.
    package let certificates: [[UInt8]]

    package var header: JOSEHeader { jws.header }

    init(compact bytes: [UInt8]) throws(PlatformSSORefusal) {
        do throws(JOSEError) { jws = try UnverifiedJWS(compact: bytes) } catch {
            throw PlatformSSORefusal(.assertionMalformed, error.reason)
        }
        claims = try MessageClaims(payload: jws.payload)
        keyID = jws.header.keyID.flatMap { KeyIdentifier($0) }
        certificates = try CertificateChain.read(jws.header.members)
    }
}

/// An encrypted assertion with a password, not decrypted (Apple "Creating an encrypted embedded
/// assertion"). It is not signed; the login request that contains it is.
package struct UnverifiedEncryptedAssertion: Sendable {
    let jwe: UnverifiedJWE
    /// The provider's key to which it claims to be encrypted.
    package let keyID: KeyIdentifier?

    package var header: JOSEHeader { jwe.header }

    init(compact bytes: [UInt8]) throws(PlatformSSORefusal) {
        try UnsupportedHPKE.refuse(compact: bytes)
        do throws(JOSEError) { jwe = try UnverifiedJWE(compact: bytes) } catch {
            throw PlatformSSORefusal(
                error.code == .algorithmUnsupported ? .algorithmNotAllowed : .assertionMalformed,
                error.reason)
        }
        keyID = jwe.header.keyID.flatMap { KeyIdentifier($0) }
    }

    /// Returns the claims of the plaintext. The named key is tried, or all keys if none is named:
    /// in Apple's text `kid` is the ephemeral key's, in its sample the recipient's.
    ///
    /// - Throws: `keyNotFound`, `decryptionFailed`, `algorithmNotAllowed`, `malformed`.
    func open(with keys: [PrivateJWK]) throws(PlatformSSORefusal) -> MessageClaims {
        let named = keys.filter { KeyIdentifier($0.publicKey) == keyID }
        let candidates = named.isEmpty ? Array(keys.prefix(4)) : named
        guard !candidates.isEmpty else {
            throw PlatformSSORefusal(.keyNotFound, "no key to decrypt with")
        }
        var plaintext: [UInt8]?
        var refusal = PlatformSSORefusal(.decryptionFailed, "decryption failed")
        for key in candidates {
            let decrypter = JWEDecrypter(
                key: .privateKey(key), algorithms: [.ecdhES], encryptions: [.a256GCM])
            do throws(JOSEError) {
                plaintext = try decrypter.decrypt(jwe).plaintext
                break
            } catch {
                refusal = PlatformSSORefusal(error)
            }
        }
        guard let plaintext else { throw refusal }
        return try MessageClaims(payload: plaintext)
    }
}
