// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PlatformSSO
import Primitives

/// The proof that the sender of a registration has the key.
///
/// Apple does not specify the format of registrations. `docs/platform-sso-provider.md` describes
/// this format for other implementations.
struct PossessionProof: Sendable {
    enum Kind: String, Sendable {
        case device = "gatehouse-device-registration+jwt"
        case user = "gatehouse-user-registration+jwt"
        case unregistration = "gatehouse-unregistration+jwt"
    }

    /// The key of a card may be an RSA key.
    static let cardAlgorithms: [JWSAlgorithm] = [.es256, .rs256, .rs384, .rs512]

    private static let maximumBytes = 8192
    private static let maximumLifetime = TimeSpan.minutes(10)
    private static let leeway = TimeSpan.seconds(60)

    let jws: UnverifiedJWS
    /// Unverified before ``verify(by:audience:now:)``.
    let claims: MessageClaims
    /// The key ID in the header.
    let keyID: KeyIdentifier?

    /// - Throws: `malformed`, `typeMismatch`, `tooLarge`.
    init(_ text: String, _ kind: Kind) throws(PlatformSSORefusal) {
        do throws(JOSEError) {
            jws = try UnverifiedJWS(compact: text, maximumBytes: Self.maximumBytes)
        } catch {
            throw PlatformSSORefusal(
                error.code == .tooLarge ? .tooLarge : .malformed, error.reason)
        }
        guard jws.header.isType(kind.rawValue) else {
            throw PlatformSSORefusal(.typeMismatch, "typ of the proof is not \(kind.rawValue)")
        }
        claims = try MessageClaims(payload: jws.payload)
        keyID = jws.header.keyID.flatMap { KeyIdentifier($0) }
    }

    /// - Throws: `signatureInvalid`, `algorithmNotAllowed`, `audienceMismatch`, `expired`,
    ///   `issuedInFuture`, `lifetimeTooLong`, `claimMissing`.
    func verify(
        by key: PublicJWK, _ algorithms: [JWSAlgorithm] = [.es256], audience: String,
        now: Timestamp
    ) throws(PlatformSSORefusal) {
        do throws(JOSEError) {
            _ = try JWSVerifier(key: .publicKey(key), algorithms: algorithms).verify(jws)
        } catch {
            throw PlatformSSORefusal(
                error.code == .signatureInvalid ? .signatureInvalid : .algorithmNotAllowed,
                error.reason)
        }
        guard try claims.audience() == [audience] else {
            throw PlatformSSORefusal(.audienceMismatch, "aud is not this endpoint")
        }
        guard let issuedAt = try claims.time("iat"), let expiresAt = try claims.time("exp") else {
            throw PlatformSSORefusal(.claimMissing, "iat or exp is missing")
        }
        guard issuedAt <= now + Self.leeway else {
            throw PlatformSSORefusal(.issuedInFuture, "iat lies in the future")
        }
        guard expiresAt > now - Self.leeway else {
            throw PlatformSSORefusal(.expired, "exp has passed")
        }
        guard expiresAt <= issuedAt + Self.maximumLifetime else {
            throw PlatformSSORefusal(.lifetimeTooLong, "exp lies too far behind iat")
        }
    }

    /// Verifies that the claim contains the key ID of `key`.
    func names(_ key: PublicJWK, in claim: String) throws(PlatformSSORefusal) {
        guard KeyIdentifier(try claims.requiredText(claim)) == KeyIdentifier(key) else {
            throw PlatformSSORefusal(.keyIDMismatch, "\(claim) names another key")
        }
    }
}

/// The proof that a device has its encryption key, which cannot sign. A key agreement with the
/// provider's encryption key authenticates the IDs of both keys.
enum AgreementProof {
    /// HMAC-SHA256 over `signing kid || encryption kid`, under HKDF-SHA256 of the shared X
    /// coordinate with the server nonce as salt.
    static func code(
        sharedSecret: [UInt8], nonce: String, signing: PublicJWK, encryption: PublicJWK
    ) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: sharedSecret), salt: Array(nonce.utf8),
            info: Array("gatehouse/platform-sso/encryption-key-possession".utf8),
            outputByteCount: 32)
        let names = KeyIdentifier(signing).digest + KeyIdentifier(encryption).digest
        return Array(HMAC<SHA256>.authenticationCode(for: names, using: key))
    }

    static func isMet(
        by proof: [UInt8], nonce: String, signing: PublicJWK, encryption: PublicJWK,
        keys: [PrivateJWK]
    ) -> Bool {
        keys.contains { own in
            guard let secret = try? KeyAgreement.sharedSecret(own, encryption) else { return false }
            return ConstantTime.equal(
                proof,
                code(sharedSecret: secret, nonce: nonce, signing: signing, encryption: encryption))
        }
    }
}
