// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import X509

/// The key in the form of the cryptographic library.
enum KeyMaterial: Sendable {
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(OpenSSLPublicKey)
    case secp256k1(OpenSSLPublicKey)
    case ed25519(Ed25519PublicKey)
    case ed448(OpenSSLPublicKey)
    case rsa(_RSA.Signing.PublicKey)
    case mlDSA(MLDSAPublicKey)
}

extension KeyMaterial {
    /// A point of a curve, both coordinates in full length.
    static func point(
        _ curve: COSECurve, x: ArraySlice<UInt8>, y: ArraySlice<UInt8>
    ) throws(COSEKeyError) -> KeyMaterial {
        guard x.count == curve.coordinateLength, y.count == curve.coordinateLength else {
            throw .invalidPoint
        }
        // The library checks that the point is on the curve and is not the point at infinity.
        do {
            switch curve {
            case .p256: return .p256(try P256.Signing.PublicKey(rawRepresentation: x + y))
            case .p384: return .p384(try P384.Signing.PublicKey(rawRepresentation: x + y))
            case .p521:
                guard let key = OpenSSLPublicKey.p521(x: x, y: y) else {
                    throw COSEKeyError.invalidPoint
                }
                return .p521(key)
            case .secp256k1:
                guard let key = OpenSSLPublicKey.secp256k1(x: x, y: y) else {
                    throw COSEKeyError.invalidPoint
                }
                return .secp256k1(key)
            }
        } catch { throw .invalidPoint }
    }

    /// Returns an RSA key from two big-endian numbers in their shortest form. The bounds exclude
    /// weak keys and keys whose use would cost too much.
    static func rsa(
        modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>
    ) throws(COSEKeyError) -> KeyMaterial {
        guard let high = modulus.first, let low = modulus.last, high != 0, low & 1 == 1,
            2048...8192 ~= modulus.count * 8 - high.leadingZeroBitCount
        else { throw .invalidModulus }
        guard 1...4 ~= exponent.count, let first = exponent.first, first != 0,
            let last = exponent.last, last & 1 == 1, exponent.count > 1 || first >= 3
        else { throw .invalidExponent }
        do {
            return .rsa(try _RSA.Signing.PublicKey(n: modulus, e: exponent))
        } catch { throw .invalidModulus }
    }

    /// The key of a certificate, when it is of the type and curve that `algorithm` is bound to.
    init?(_ certificate: AttestationCertificate, for algorithm: COSEAlgorithm) {
        guard let key = certificate.mlDSAKey else {
            self.init(certificate.certificate.publicKey, for: algorithm)
            return
        }
        guard case .mlDSA(key.set) = algorithm.family else { return nil }
        self = .mlDSA(key)
    }

    /// The same of a key that swift-certificates has read.
    init?(_ key: Certificate.PublicKey, for algorithm: COSEAlgorithm) {
        switch algorithm.family {
        case .ecdsa(.p256):
            guard let key = P256.Signing.PublicKey(key) else { return nil }
            self = .p256(key)
        case .ecdsa(.p384):
            guard let key = P384.Signing.PublicKey(key) else { return nil }
            self = .p384(key)
        case .ecdsa(.p521):
            guard let point = P521.Signing.PublicKey(key)?.rawRepresentation,
                let key = OpenSSLPublicKey.p521(
                    x: Array(point.prefix(66))[...], y: Array(point.suffix(66))[...])
            else { return nil }
            self = .p521(key)
        case .ed25519:
            guard let point = Curve25519.Signing.PublicKey(key)?.rawRepresentation,
                let key = Ed25519PublicKey(point)
            else { return nil }
            self = .ed25519(key)
        case .rsaPKCS1, .rsaPSS:
            guard let key = _RSA.Signing.PublicKey(key), 2048...8192 ~= key.keySizeInBits else {
                return nil
            }
            self = .rsa(key)
        case .ecdsa(.secp256k1), .ed448, .mlDSA:
            // swift-certificates reads no such key.
            return nil
        }
    }

    /// Whether both are the same public key.
    func isSame(as other: KeyMaterial) -> Bool {
        switch (self, other) {
        case (.p256(let left), .p256(let right)):
            left.rawRepresentation == right.rawRepresentation
        case (.p384(let left), .p384(let right)):
            left.rawRepresentation == right.rawRepresentation
        case (.ed25519(let left), .ed25519(let right)):
            left == right
        case (.rsa(let left), .rsa(let right)):
            left.derRepresentation == right.derRepresentation
        case (.secp256k1(let left), .secp256k1(let right)), (.p521(let left), .p521(let right)),
            (.ed448(let left), .ed448(let right)):
            left == right
        case (.mlDSA(let left), .mlDSA(let right)):
            left == right
        default:
            false
        }
    }
}
