// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import CryptoExtras
import Testing
import WebAuthn

/// COSE keys that may not be used (attacks 17 and 18).
@Suite struct COSEKeyTests {
    private static let good = Array(P256.Signing.PrivateKey().publicKey.rawRepresentation)

    private static func key(_ parameters: [(Int64, CBORValue)]) -> CBORValue {
        .map(parameters.map { CBOREntry(.integer($0), $1) })
    }

    private static func ec2(
        kty: Int64 = 2, alg: Int64 = -7, crv: Int64 = 1, x: [UInt8]? = nil, y: [UInt8]? = nil
    ) -> CBORValue {
        key([
            (1, .integer(kty)), (3, .integer(alg)), (-1, .integer(crv)),
            (-2, .byteString(x ?? Array(good.prefix(32)))),
            (-3, .byteString(y ?? Array(good.suffix(32)))),
        ])
    }

    private static func okp(x: [UInt8], crv: Int64 = 6, alg: Int64 = -8) -> CBORValue {
        key([
            (1, .integer(1)), (3, .integer(alg)), (-1, .integer(crv)), (-2, .byteString(x)),
        ])
    }

    private static func rsa(n: [UInt8], e: [UInt8] = [1, 0, 1], alg: Int64 = -257) -> CBORValue {
        key([
            (1, .integer(3)), (3, .integer(alg)), (-1, .byteString(n)), (-2, .byteString(e)),
        ])
    }

    private static func akp(alg: Int64, _ count: Int) -> CBORValue {
        key([
            (1, .integer(7)), (3, .integer(alg)),
            (-1, .byteString([UInt8](repeating: 7, count: count))),
        ])
    }

    private static func ed448(
        _ count: Int, _ byte: UInt8 = 0, _ change: (inout [UInt8]) -> Void = { _ in }
    ) -> CBORValue {
        var point = [UInt8](repeating: byte, count: count)
        change(&point)
        return okp(x: point, crv: 7, alg: -53)
    }

    private static func modulus(_ bytes: Int) -> [UInt8] {
        [0x80] + [UInt8](repeating: 0x55, count: bytes - 1)
    }

    private static let prime25519 = [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    private static let zero = [UInt8](repeating: 0, count: 32)
    private static let p256Prime = hex(
        "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")

    static let refusals: [(String, CBORValue, COSEKeyError)] = [
        ("no map", .array([]), .malformed),
        ("an empty map", .map([]), .malformed),
        ("no alg", key([(1, .integer(2))]), .malformed),
        ("alg is text", key([(1, .integer(2)), (3, .text("ES256"))]), .malformed),
        ("no kty", key([(3, .integer(-7))]), .malformed),
        ("alg -2^64", key([(1, .integer(2)), (3, .negative(.max))]), .unknownAlgorithm),
        ("alg 2^64-1", key([(1, .integer(2)), (3, .unsigned(.max))]), .unknownAlgorithm),
        ("RS1 with an EC2 key", ec2(alg: -65535), .algorithmMismatch),
        ("alg 0", ec2(alg: 0), .unknownAlgorithm),
        ("ML-DSA-44, a byte long", akp(alg: -48, 1313), .invalidLength),
        ("ES256K on P-256", ec2(alg: -47), .algorithmMismatch),
        ("ES256K, a point of P-256", ec2(alg: -47, crv: 8), .invalidPoint),
        ("ES256K, infinity", ec2(alg: -47, crv: 8, x: zero, y: zero), .invalidPoint),
        ("ML-DSA-65 as EC2", ec2(alg: -49), .algorithmMismatch),
        ("ML-DSA-65, a byte short", akp(alg: -49, 1951), .invalidLength),
        ("ML-DSA-65, the key of 87", akp(alg: -49, 2592), .invalidLength),
        ("ML-DSA-87, empty", akp(alg: -50, 0), .invalidLength),
        ("Ed448 with an EC2 key", ec2(alg: -53), .algorithmMismatch),
        ("Ed448 on Ed25519", okp(x: zero, alg: -53), .algorithmMismatch),
        ("Ed448 of 56 bytes", ed448(56), .invalidPoint),
        ("Ed448 y = 0", ed448(57), .weakPoint),
        ("Ed448 identity", ed448(57) { $0[0] = 1 }, .weakPoint),
        ("Ed448 y = p", ed448(57, 0xFF) { ($0[28], $0[56]) = (0xFE, 0) }, .weakPoint),
        (
            "Ed448 y = p - 1", ed448(57, 0xFF) { ($0[0], $0[28], $0[56]) = (0xFE, 0xFE, 0) },
            .weakPoint
        ),
        ("Ed448 with bits above the sign", ed448(57) { ($0[0], $0[56]) = (2, 1) }, .weakPoint),
        ("Ed448 off the curve", ed448(57) { $0[0] = 2 }, .invalidPoint),
        ("ES256 with an OKP key", ec2(kty: 1), .algorithmMismatch),
        ("ES256 on P-384", ec2(crv: 2), .algorithmMismatch),
        ("ES384 on P-256", ec2(alg: -35), .algorithmMismatch),
        ("ES512 on P-256", ec2(alg: -36), .algorithmMismatch),
        ("EdDSA with an EC2 key", ec2(alg: -8), .algorithmMismatch),
        ("RS256 with an EC2 key", ec2(alg: -257), .algorithmMismatch),
        ("EdDSA on Ed448", okp(x: good, crv: 7), .algorithmMismatch),
        ("a point off the curve", ec2(y: Array(good.prefix(32))), .invalidPoint),
        ("the point at infinity", ec2(x: zero, y: zero), .invalidPoint),
        ("x not reduced", ec2(x: p256Prime), .invalidPoint),
        ("x of 31 bytes", ec2(x: Array(good.prefix(31))), .invalidPoint),
        ("x with a leading zero", ec2(x: [0] + good.prefix(32)), .invalidPoint),
        ("no x at all", ec2(x: []), .invalidPoint),
        (
            "compressed y",
            key([
                (1, .integer(2)), (3, .integer(-7)), (-1, .integer(1)),
                (-2, .byteString(good.prefix(32))), (-3, .bool(true)),
            ]), .malformed
        ),
        (
            "a sixth parameter",
            key([
                (1, .integer(2)), (2, .byteString([1])), (3, .integer(-7)), (-1, .integer(1)),
                (-2, .byteString(good.prefix(32))), (-3, .byteString(good.suffix(32))),
            ]), .malformed
        ),
        ("Ed25519 of 31 bytes", okp(x: Array(zero.dropLast())), .invalidPoint),
        ("Ed25519 y = 0", okp(x: zero), .weakPoint),
        ("Ed25519 identity", okp(x: [1] + zero.dropFirst()), .weakPoint),
        ("Ed25519 identity, other sign", okp(x: [1] + zero.dropFirst(2) + [0x80]), .weakPoint),
        ("Ed25519 y = p", okp(x: prime25519), .weakPoint),
        ("Ed25519 y = p + 1", okp(x: [0xEE] + prime25519.dropFirst()), .weakPoint),
        ("Ed25519 y = -1", okp(x: [0xEC] + prime25519.dropFirst()), .weakPoint),
        (
            "Ed25519 order eight",
            okp(x: hex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")),
            .weakPoint
        ),
        ("RSA 512", rsa(n: modulus(64)), .invalidModulus),
        ("RSA 2047", rsa(n: [0x7F] + modulus(256).dropFirst()), .invalidModulus),
        ("RSA 8200", rsa(n: modulus(1025)), .invalidModulus),
        ("RSA 16384", rsa(n: modulus(2048)), .invalidModulus),
        ("RSA leading zero", rsa(n: [0] + modulus(256)), .invalidModulus),
        ("RSA even", rsa(n: modulus(256).dropLast() + [2]), .invalidModulus),
        ("RSA empty", rsa(n: []), .invalidModulus),
        ("RSA e = 1", rsa(n: modulus(256), e: [1]), .invalidExponent),
        ("RSA e = 0", rsa(n: modulus(256), e: [0]), .invalidExponent),
        ("RSA e = 2", rsa(n: modulus(256), e: [2]), .invalidExponent),
        ("RSA e empty", rsa(n: modulus(256), e: []), .invalidExponent),
        ("RSA e even", rsa(n: modulus(256), e: [1, 0, 0]), .invalidExponent),
        ("RSA e leading zero", rsa(n: modulus(256), e: [0, 1, 0, 1]), .invalidExponent),
        ("RSA e of five bytes", rsa(n: modulus(256), e: [1, 0, 0, 0, 1]), .invalidExponent),
    ]

    @Test("A key that may not be used is refused for the right reason", arguments: refusals.indices)
    func refused(_ index: Int) {
        let (name, value, error) = Self.refusals[index]
        #expect(throws: error, "\(name)") { try COSEPublicKey(value) }
    }

    @Test("Bytes that are no canonical CBOR are no key: one byte 04, and keys out of order")
    func bytes() {
        for digits in ["", "04", "a0 00", "a2 03 26 01 02"] {
            #expect(throws: COSEKeyError.malformed) {
                try COSEPublicKey(cbor: hex(digits)[...])
            }
        }
    }

    @Test("The fully specified names mean the same keys")
    func fullySpecified() throws {
        #expect(try COSEPublicKey(Self.ec2(alg: -9)).algorithm == .esp256)
        let key = Curve25519.Signing.PrivateKey().publicKey.rawRepresentation
        #expect(try COSEPublicKey(Self.okp(x: Array(key), alg: -19)).algorithm == .ed25519)
    }

    @Test(
        "RSA verifies with its own hash and padding, and with no other",
        arguments: [-257, -258, -259, -37, -38, -39] as [Int64])
    func rsaAlgorithms(_ alg: Int64) throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try key.publicKey.getKeyPrimitives()
        let message: [UInt8] = [1, 2, 3, 4]
        let signature: [UInt8]
        switch alg {
        case -257: signature = try Self.sign(SHA256.hash(data: message), key, .insecurePKCS1v1_5)
        case -258: signature = try Self.sign(SHA384.hash(data: message), key, .insecurePKCS1v1_5)
        case -259: signature = try Self.sign(SHA512.hash(data: message), key, .insecurePKCS1v1_5)
        case -37: signature = try Self.sign(SHA256.hash(data: message), key, .PSS)
        case -38: signature = try Self.sign(SHA384.hash(data: message), key, .PSS)
        default: signature = try Self.sign(SHA512.hash(data: message), key, .PSS)
        }
        for other in [-257, -258, -259, -37, -38, -39] as [Int64] {
            let cose = try COSEPublicKey(
                Self.rsa(
                    n: Array(numbers.modulus), e: Array(numbers.publicExponent), alg: other))
            let isValid = cose.isValid(signature: signature[...], over: message[..<2], [3, 4])
            #expect(isValid == (other == alg))
        }
    }

    private static func sign(
        _ digest: some Digest, _ key: _RSA.Signing.PrivateKey, _ padding: _RSA.Signing.Padding
    ) throws -> [UInt8] {
        Array(try key.signature(for: digest, padding: padding).rawRepresentation)
    }

    @Test("P-384 and P-521 sign in as well")
    func largerCurves() throws {
        let message: [UInt8] = [9, 8, 7]
        let p384 = P384.Signing.PrivateKey()
        let point = Array(p384.publicKey.rawRepresentation)
        let es384 = try COSEPublicKey(
            Self.ec2(alg: -35, crv: 2, x: Array(point.prefix(48)), y: Array(point.suffix(48))))
        let signature = Array(try p384.signature(for: message).derRepresentation)
        #expect(es384.isValid(signature: signature[...], over: message[...], []))
        #expect(!es384.isValid(signature: signature[...], over: message[...], [0]))
        let p521 = P521.Signing.PrivateKey()
        let large = Array(p521.publicKey.rawRepresentation)
        let es512 = try COSEPublicKey(
            Self.ec2(alg: -36, crv: 3, x: Array(large.prefix(66)), y: Array(large.suffix(66))))
        let other = Array(try p521.signature(for: message).derRepresentation)
        #expect(es512.isValid(signature: other[...], over: message[...], []))
        #expect(!es512.isValid(signature: signature[...], over: message[...], []))
    }
}
