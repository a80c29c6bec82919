// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives

/// Diffie-Hellman on the curves of RFC 7518 section 6.2 and on X25519 (RFC 8037 section 3.2).
package enum KeyAgreement {
    /// The shared secret. Throws for points off the curve, and for keys of different kinds.
    package static func sharedSecret(_ own: PrivateJWK, _ other: PublicJWK) throws -> [UInt8] {
        guard case .scalar(let d) = own.material else { throw mismatch }
        KeyOperationCounter.current?.add(.agreement)
        switch (own.publicKey.material, other.material) {
        case (.ellipticCurve(.p256, _, _), .ellipticCurve(.p256, let x, let y)):
            guard let key = own.agreement else { throw mismatch }
            return bytes(
                try key.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: x + y)))
        case (.ellipticCurve(.p384, _, _), .ellipticCurve(.p384, let x, let y)):
            return bytes(
                try P384.KeyAgreement.PrivateKey(rawRepresentation: d.reveal())
                    .sharedSecretFromKeyAgreement(with: .init(rawRepresentation: x + y)))
        case (.ellipticCurve(.p521, _, _), .ellipticCurve(.p521, let x, let y)):
            return bytes(
                try P521.KeyAgreement.PrivateKey(rawRepresentation: d.reveal())
                    .sharedSecretFromKeyAgreement(with: .init(rawRepresentation: x + y)))
        case (.octetKeyPair(.x25519, _), .octetKeyPair(.x25519, let x)):
            return bytes(
                try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: d.reveal())
                    .sharedSecretFromKeyAgreement(with: .init(rawRepresentation: x)))
        default: throw mismatch
        }
    }

    /// A fresh key pair on the curve of `other`.
    package static func ephemeral(
        for other: PublicJWK, random: some RandomSource
    ) throws -> PrivateJWK {
        switch other.material {
        case .ellipticCurve(let curve, _, _):
            // A random scalar is out of range once in 2^32 at the most often; try again then.
            for _ in 0..<8 {
                var d = random.bytes(curve.coordinateBytes)
                if curve == .p521 { d[0] &= 1 }
                if let key = try? PrivateJWK(scalar: Secret(d), on: curve) { return key }
            }
            throw JOSEError(.failure, "the random source returns no usable scalar")
        case .octetKeyPair(.x25519, _):
            return try PrivateJWK(x25519: Secret(random.bytes(32)))
        default: throw mismatch
        }
    }

    private static func bytes(_ secret: SharedSecret) -> [UInt8] {
        secret.withUnsafeBytes { Array($0) }
    }

    private static var mismatch: JOSEError {
        JOSEError(.keyMismatch, "the keys are of different kinds")
    }
}
