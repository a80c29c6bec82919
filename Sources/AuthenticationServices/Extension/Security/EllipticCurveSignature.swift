// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE

/// The conversion of ECDSA signatures between JOSE's two numbers and the DER of ANSI X9.62 in
/// `SecKey`.
enum EllipticCurveSignature {
    static func der(_ raw: [UInt8], _ algorithm: JWSAlgorithm) -> Data? {
        switch algorithm {
        case .es256: try? P256.Signing.ECDSASignature(rawRepresentation: raw).derRepresentation
        case .es384: try? P384.Signing.ECDSASignature(rawRepresentation: raw).derRepresentation
        default: nil
        }
    }

    static func holds(
        _ signature: Data, over message: Data, _ algorithm: SecKeyAlgorithm, _ key: PublicJWK
    ) -> Bool {
        guard algorithm.fits(key), case .ellipticCurve(let curve, let x, let y) = key.material
        else { return false }
        let point = [0x04] + x + y
        switch curve {
        case .p256:
            let parsed =
                try? algorithm.isX962
                ? P256.Signing.ECDSASignature(derRepresentation: signature)
                : P256.Signing.ECDSASignature(rawRepresentation: signature)
            guard let parsed, let key = try? P256.Signing.PublicKey(x963Representation: point)
            else { return false }
            return key.isValidSignature(parsed, for: SHA256.hash(data: message))
        case .p384:
            let parsed =
                try? algorithm.isX962
                ? P384.Signing.ECDSASignature(derRepresentation: signature)
                : P384.Signing.ECDSASignature(rawRepresentation: signature)
            guard let parsed, let key = try? P384.Signing.PublicKey(x963Representation: point)
            else { return false }
            return key.isValidSignature(parsed, for: SHA384.hash(data: message))
        case .p521: return false
        }
    }
}
