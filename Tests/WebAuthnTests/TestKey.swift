// SPDX-License-Identifier: Apache-2.0
import CBOR
import COpenSSL
import Crypto
import CryptoExtras
import Support
import Testing
import WebAuthn

/// A credential key of any algorithm, for tests.
struct TestKey: Sendable, CustomTestStringConvertible {
    let algorithm: COSEAlgorithm
    let cose: CBORValue
    let sign: @Sendable ([UInt8]) throws -> [UInt8]

    var testDescription: String { "\(algorithm)" }

    static func make(_ algorithm: COSEAlgorithm) throws -> TestKey {
        switch algorithm {
        case .es256, .esp256:
            let key = P256.Signing.PrivateKey()
            return ec2(algorithm, 1, key.publicKey.rawRepresentation) {
                try key.signature(for: $0).derRepresentation
            }
        case .es384, .esp384:
            let key = P384.Signing.PrivateKey()
            return ec2(algorithm, 2, key.publicKey.rawRepresentation) {
                try key.signature(for: $0).derRepresentation
            }
        case .es512, .esp512:
            let key = P521.Signing.PrivateKey()
            return ec2(algorithm, 3, key.publicKey.rawRepresentation) {
                try key.signature(for: $0).derRepresentation
            }
        case .es256k:
            let key = try OpenSSLTestKey.secp256k1()
            return ec2(algorithm, 8, key.publicKey.suffix(64)) { try key.sign($0) }
        case .edDSA, .ed25519:
            let key = Curve25519.Signing.PrivateKey()
            return okp(algorithm, 6, key.publicKey.rawRepresentation) {
                try key.signature(for: $0)
            }
        case .ed448:
            let key = try OpenSSLTestKey.ed448()
            return okp(algorithm, 7, key.publicKey.suffix(57)) { try key.sign($0) }
        case .mlDSA44:
            // No library here signs by it: see ``MLDSATests`` for what PyPI's cryptography signed.
            return akp(algorithm, [UInt8](repeating: 7, count: 1312)) { _ -> [UInt8] in
                throw OpenSSLTestKey.Failure()
            }
        case .mlDSA65:
            let key = try MLDSA65.PrivateKey()
            return akp(algorithm, key.publicKey.rawRepresentation) { try key.signature(for: $0) }
        case .mlDSA87:
            let key = try MLDSA87.PrivateKey()
            return akp(algorithm, key.publicKey.rawRepresentation) { try key.signature(for: $0) }
        case .rs1, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
            return try rsa(algorithm)
        }
    }

    /// Made once: drawing primes is slow.
    static let rsaKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    private static func rsa(_ algorithm: COSEAlgorithm) throws -> TestKey {
        let key = try rsaKey.get()
        let numbers = try key.publicKey.getKeyPrimitives()
        let cose = map(
            3, algorithm,
            [
                (-1, .byteString(numbers.modulus)), (-2, .byteString(numbers.publicExponent)),
            ])
        return TestKey(algorithm: algorithm, cose: cose) { message in
            let signature =
                switch algorithm {
                case .rs1:
                    try key.signature(
                        for: Insecure.SHA1.hash(data: message), padding: .insecurePKCS1v1_5)
                case .rs384:
                    try key.signature(
                        for: SHA384.hash(data: message), padding: .insecurePKCS1v1_5)
                case .rs512:
                    try key.signature(
                        for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5)
                case .ps256: try key.signature(for: SHA256.hash(data: message), padding: .PSS)
                case .ps384: try key.signature(for: SHA384.hash(data: message), padding: .PSS)
                case .ps512: try key.signature(for: SHA512.hash(data: message), padding: .PSS)
                default:
                    try key.signature(
                        for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
                }
            return Array(signature.rawRepresentation)
        }
    }

    private static func map(
        _ type: Int64, _ algorithm: COSEAlgorithm, _ parameters: [(Int64, CBORValue)]
    ) -> CBORValue {
        let all = [(1, .integer(type)), (3, .integer(algorithm.rawValue))] + parameters
        return .map(all.map { CBOREntry(.integer($0), $1) })
    }

    private static func ec2<Signature: Sequence<UInt8> & SendableMetatype>(
        _ algorithm: COSEAlgorithm, _ curve: Int64, _ point: some Collection<UInt8>,
        _ sign: @escaping @Sendable ([UInt8]) throws -> Signature
    ) -> TestKey {
        let half = point.count / 2
        let cose = map(
            2, algorithm,
            [
                (-1, .integer(curve)), (-2, .byteString(point.prefix(half))),
                (-3, .byteString(point.dropFirst(half))),
            ])
        return TestKey(algorithm: algorithm, cose: cose) { Array(try sign($0)) }
    }

    private static func okp<Signature: Sequence<UInt8> & SendableMetatype>(
        _ algorithm: COSEAlgorithm, _ curve: Int64, _ point: some Collection<UInt8>,
        _ sign: @escaping @Sendable ([UInt8]) throws -> Signature
    ) -> TestKey {
        let cose = map(1, algorithm, [(-1, .integer(curve)), (-2, .byteString(point))])
        return TestKey(algorithm: algorithm, cose: cose) { Array(try sign($0)) }
    }

    private static func akp<Signature: Sequence<UInt8> & SendableMetatype>(
        _ algorithm: COSEAlgorithm, _ key: some Collection<UInt8>,
        _ sign: @escaping @Sendable ([UInt8]) throws -> Signature
    ) -> TestKey {
        let cose = map(7, algorithm, [(-1, .byteString(key))])
        return TestKey(algorithm: algorithm, cose: cose) { Array(try sign($0)) }
    }
}

/// A private key of a curve that swift-crypto does not have, as the DER that OpenSSL keeps it in.
struct OpenSSLTestKey: Sendable {
    struct Failure: Error {}

    private let encoded: [UInt8]
    private let type: CInt
    /// `SubjectPublicKeyInfo`.
    let publicKey: [UInt8]
    private let hashes: Bool

    static func secp256k1() throws -> OpenSSLTestKey {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_secp256k1) == 1
        else { throw Failure() }
        return try OpenSSLTestKey(context, type: EVP_PKEY_EC, hashes: true)
    }

    static func ed448() throws -> OpenSSLTestKey {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_ED448, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) == 1 else { throw Failure() }
        return try OpenSSLTestKey(context, type: EVP_PKEY_ED448, hashes: false)
    }

    private init(_ context: OpaquePointer?, type: CInt, hashes: Bool) throws {
        var key: OpaquePointer?
        guard EVP_PKEY_keygen(context, &key) == 1 else { throw Failure() }
        defer { EVP_PKEY_free(key) }
        self.type = type
        self.hashes = hashes
        encoded = try Self.encode { i2d_PrivateKey(key, $0) }
        publicKey = try Self.encode { i2d_PUBKEY(key, $0) }
    }

    private static func encode(
        _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(max(write(nil), 0)))
        let written = bytes.withUnsafeMutableBufferPointer { buffer -> CInt in
            var start = buffer.baseAddress
            return write(&start)
        }
        guard written > 0, written == bytes.count else { throw Failure() }
        return bytes
    }

    func sign(_ message: [UInt8]) throws -> [UInt8] {
        let key = encoded.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_PrivateKey(type, nil, &start, bytes.count)
        }
        defer { EVP_PKEY_free(key) }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var count = 200
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, nil, hashes ? EVP_sha256() : nil, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw Failure() }
        return Array(signature.prefix(count))
    }
}
