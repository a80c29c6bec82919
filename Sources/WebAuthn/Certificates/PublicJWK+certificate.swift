// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import JOSE
import X509

extension PublicJWK {
    /// Creates the key of a certificate; `nil` for an unsupported kind.
    init?(_ key: Certificate.PublicKey) {
        let algorithms: [COSEAlgorithm] = [.es256, .es384, .edDSA, .rs256]
        let material = algorithms.lazy.compactMap { KeyMaterial(key, for: $0) }.first
        guard let material, let key = PublicJWK(material) else { return nil }
        self = key
    }

    /// Returns `nil` for keys without a supported JWK form, and for P-521, which devices do not
    /// use.
    init?(_ key: KeyMaterial) {
        let material: Material
        switch key {
        case .p256(let key): material = .point(.p256, Array(key.rawRepresentation))
        case .p384(let key): material = .point(.p384, Array(key.rawRepresentation))
        case .ed25519(let key): material = .octetKeyPair(.ed25519, x: key.encoded)
        case .rsa(let key):
            guard let numbers = try? key.getKeyPrimitives() else { return nil }
            material = .rsa(
                n: Array(numbers.modulus.drop { $0 == 0 }),
                e: Array(numbers.publicExponent.drop { $0 == 0 }))
        case .p521, .secp256k1, .ed448, .mlDSA: return nil
        }
        guard let key = try? PublicJWK(material, parameters: KeyParameters()) else { return nil }
        self = key
    }
}

extension PublicJWK.Material {
    /// Both coordinates, one after the other.
    fileprivate static func point(_ curve: EllipticCurve, _ point: [UInt8]) -> Self {
        .ellipticCurve(
            curve, x: Array(point.prefix(curve.coordinateBytes)),
            y: Array(point.suffix(curve.coordinateBytes)))
    }
}
