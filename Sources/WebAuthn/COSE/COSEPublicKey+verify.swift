// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras

extension COSEPublicKey {
    /// Whether `signature` is this key's signature of `first` followed by `second`.
    ///
    /// The two parts are hashed one after the other, so the caller does not have to concatenate
    /// them.
    package func isValid(
        signature: ArraySlice<UInt8>, over first: ArraySlice<UInt8>, _ second: [UInt8]
    ) -> Bool {
        COSESignatureVerifier(algorithm: algorithm, material: material)
            .isValid(signature: signature, over: first, second)
    }
}

/// A signature algorithm with a matching key.
package struct COSESignatureVerifier: Sendable {
    let algorithm: COSEAlgorithm
    let material: KeyMaterial

    /// Whether `signature` is a signature of `first` followed by `second`. ECDSA's is in DER.
    package func isValid(
        signature: ArraySlice<UInt8>, over first: ArraySlice<UInt8>, _ second: [UInt8]
    ) -> Bool {
        switch (algorithm.family, material) {
        case (.ecdsa(let curve), _):
            return isValidECDSA(signature, on: curve, first, second)
        case (.ed25519, .ed25519(let key)):
            return key.isValid(signature: signature, over: Array(first) + second)
        case (.ed448, .ed448(let key)):
            return key.isValid(signature: signature, over: Array(first) + second)
        case (.rsaPKCS1(let hash), .rsa(let key)):
            return isValid(
                signature, with: key, hash: hash, padding: .insecurePKCS1v1_5, first, second)
        case (.rsaPSS(let hash), .rsa(let key)):
            return isValid(signature, with: key, hash: hash, padding: .PSS, first, second)
        case (.mlDSA, .mlDSA(let key)):
            return key.isValid(signature: signature, over: Array(first) + second)
        default:
            return false
        }
    }

    /// Whether the signature is valid and in canonical DER, independent of the verifying library.
    private func isValidECDSA(
        _ signature: ArraySlice<UInt8>, on curve: COSECurve, _ first: ArraySlice<UInt8>,
        _ second: [UInt8]
    ) -> Bool {
        let length = curve.coordinateLength
        guard let raw = ECDSASignatureDER.raw(signature, coordinateLength: length) else {
            return false
        }
        switch (curve, material) {
        case (.p256, .p256(let key)):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw) else {
                return false
            }
            return key.isValidSignature(signature, for: digest(SHA256.self, first, second))
        case (.p384, .p384(let key)):
            guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: raw) else {
                return false
            }
            return key.isValidSignature(signature, for: digest(SHA384.self, first, second))
        case (.p521, .p521(let key)), (.secp256k1, .secp256k1(let key)):
            return key.isValid(signature: signature, over: Array(first) + second)
        default:
            return false
        }
    }

    private func isValid(
        _ bytes: ArraySlice<UInt8>, with key: _RSA.Signing.PublicKey, hash: COSEHash,
        padding: _RSA.Signing.Padding, _ first: ArraySlice<UInt8>, _ second: [UInt8]
    ) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: bytes)
        switch hash {
        case .sha1:
            let digest = digest(Insecure.SHA1.self, first, second)
            return key.isValidSignature(signature, for: digest, padding: padding)
        case .sha256:
            let digest = digest(SHA256.self, first, second)
            return key.isValidSignature(signature, for: digest, padding: padding)
        case .sha384:
            let digest = digest(SHA384.self, first, second)
            return key.isValidSignature(signature, for: digest, padding: padding)
        case .sha512:
            let digest = digest(SHA512.self, first, second)
            return key.isValidSignature(signature, for: digest, padding: padding)
        }
    }

    private func digest<Hash: HashFunction>(
        _: Hash.Type, _ first: ArraySlice<UInt8>, _ second: [UInt8]
    ) -> Hash.Digest {
        var hash = Hash()
        hash.update(data: first)
        hash.update(data: second)
        return hash.finalize()
    }
}
