// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Primitives

/// The arithmetic of verifying one signature (RFC 7518 sections 3.2 to 3.5, RFC 8037 section 3.1).
enum SignatureArithmetic {
    /// Whether `signature` over `input` is right. The algorithm must fit the key; otherwise `false`.
    static func holds(
        _ signature: [UInt8], over input: [UInt8], by algorithm: JWSAlgorithm,
        _ key: VerificationKey
    ) -> Bool {
        KeyOperationCounter.current?.add(.verification)
        switch (key, algorithm) {
        case (.p256(let key), .es256):
            guard let value = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(value, for: SHA256.hash(data: input))
        case (.p384(let key), .es384):
            guard let value = try? P384.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(value, for: SHA384.hash(data: input))
        case (.p521(let key), .es512):
            guard let value = try? P521.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(value, for: SHA512.hash(data: input))
        case (.ed25519(let key), .edDSA):
            return signature.count == 64 && key.isValidSignature(signature, for: input)
        case (.rsa(let key), _): return holdsRSA(signature, over: input, by: algorithm, key)
        default: return false
        }
    }

    private static func holdsRSA(
        _ bytes: [UInt8], over input: [UInt8], by algorithm: JWSAlgorithm,
        _ key: _RSA.Signing.PublicKey
    ) -> Bool {
        guard let padding = RSAPadding.padding(of: algorithm) else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: bytes)
        switch algorithm {
        case .rs256, .ps256:
            return key.isValidSignature(
                signature, for: SHA256.hash(data: input), padding: padding)
        case .rs384, .ps384:
            return key.isValidSignature(
                signature, for: SHA384.hash(data: input), padding: padding)
        case .rs512, .ps512:
            return key.isValidSignature(
                signature, for: SHA512.hash(data: input), padding: padding)
        default: return false
        }
    }

    /// HMAC (section 3.2), compared in constant time.
    static func holds(
        _ tag: [UInt8], over input: [UInt8], by algorithm: JWSAlgorithm, sharedKey: [UInt8]
    ) -> Bool {
        guard let expected = MessageAuthentication.tag(over: input, by: algorithm, key: sharedKey)
        else { return false }
        return ConstantTime.equal(tag, expected)
    }
}

/// The padding that an RSA signature algorithm uses.
enum RSAPadding {
    static func padding(of algorithm: JWSAlgorithm) -> _RSA.Signing.Padding? {
        switch algorithm {
        case .rs256, .rs384, .rs512: .insecurePKCS1v1_5
        case .ps256, .ps384, .ps512: .PSS
        default: nil
        }
    }
}

/// HMAC with SHA-2 (RFC 7518 section 3.2).
enum MessageAuthentication {
    /// `nil` when the algorithm is not an HMAC or the key is shorter than its hash.
    static func tag(over input: [UInt8], by algorithm: JWSAlgorithm, key: [UInt8]) -> [UInt8]? {
        guard let minimum = algorithm.minimumSymmetricBytes, key.count >= minimum else {
            return nil
        }
        let key = SymmetricKey(data: key)
        switch algorithm {
        case .hs256: return Array(HMAC<SHA256>.authenticationCode(for: input, using: key))
        case .hs384: return Array(HMAC<SHA384>.authenticationCode(for: input, using: key))
        case .hs512: return Array(HMAC<SHA512>.authenticationCode(for: input, using: key))
        default: return nil
        }
    }
}
