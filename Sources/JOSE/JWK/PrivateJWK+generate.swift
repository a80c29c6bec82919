// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Primitives

extension PrivateJWK {
    /// Generates a key pair for that algorithm; `kid` is the thumbprint (RFC 7638), `use` is `sig`.
    ///
    /// Randomness is BoringSSL's, because its RSA key generation has no parameter for it.
    ///
    /// - Parameter rsaBits: Size of an RSA modulus: 2048, 3072 or 4096.
    /// - Throws: `algorithmUnsupported` for a symmetric algorithm, `failure`.
    package static func generate(
        for algorithm: JWSAlgorithm, rsaBits: Int = 2048
    ) throws(JOSEError) -> PrivateJWK {
        let bare: PrivateJWK
        do {
            bare = try generateBare(for: algorithm, rsaBits: rsaBits)
        } catch let error as JOSEError {
            throw error
        } catch {
            throw JOSEError(.failure, "key generation failed: \(error)")
        }
        return try bare.with(
            KeyParameters(
                keyID: bare.publicKey.thumbprintText, use: "sig", algorithm: algorithm.rawValue))
    }

    private static func generateBare(
        for algorithm: JWSAlgorithm, rsaBits: Int
    ) throws -> PrivateJWK {
        switch algorithm {
        case .es256:
            let key = P256.Signing.PrivateKey()
            return try make(.p256, Array(key.publicKey.rawRepresentation), key.rawRepresentation)
        case .es384:
            let key = P384.Signing.PrivateKey()
            return try make(.p384, Array(key.publicKey.rawRepresentation), key.rawRepresentation)
        case .es512:
            let key = P521.Signing.PrivateKey()
            return try make(.p521, Array(key.publicKey.rawRepresentation), key.rawRepresentation)
        case .edDSA:
            let key = Curve25519.Signing.PrivateKey()
            let x = Array(key.publicKey.rawRepresentation)
            return try PrivateJWK(
                publicKey: PublicJWK(.octetKeyPair(.ed25519, x: x), parameters: KeyParameters()),
                material: .scalar(Secret(key.rawRepresentation)))
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
            return try RSAPrivateKeyDER.generate(bits: rsaBits)
        case .hs256, .hs384, .hs512:
            throw JOSEError(.algorithmUnsupported, "a shared key is not a key pair")
        }
    }

    private static func make(
        _ curve: EllipticCurve, _ point: [UInt8], _ scalar: some Sequence<UInt8>
    ) throws(JOSEError) -> PrivateJWK {
        let half = curve.coordinateBytes
        let material = PublicJWK.Material.ellipticCurve(
            curve, x: Array(point.prefix(half)), y: Array(point.suffix(half)))
        return try PrivateJWK(
            publicKey: PublicJWK(material, parameters: KeyParameters()),
            material: .scalar(Secret(scalar)))
    }
}
