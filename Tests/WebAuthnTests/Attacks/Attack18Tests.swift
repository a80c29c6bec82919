// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import COpenSSL
import Crypto
import CryptoExtras
import Support
import Testing
import WebAuthn
import X509

/// The forms of ECDSA signatures are in ``ECDSASignatureTests``, the forms of keys in
/// ``COSEKeyTests``; this suite covers what both omit.
@Suite("Attack 18: weak points, odd numbers and second spellings")
struct Attack18Tests {
    private static func okp(_ algorithm: Int64, _ curve: Int64, _ x: [UInt8]) -> CBORValue {
        .map([
            CBOREntry(.integer(1), .integer(1)), CBOREntry(.integer(3), .integer(algorithm)),
            CBOREntry(.integer(-1), .integer(curve)), CBOREntry(.integer(-2), .byteString(x)),
        ])
    }

    @Test("Attack 18: an Ed25519 key off the curve is refused when it is registered")
    func ed25519OffTheCurve() async throws {
        // y = 2 has no x; y = 3 and y = 4 have one.
        var verdicts: [UInt8: WebAuthnRefusal?] = [:]
        for y in 2...4 as ClosedRange<UInt8> {
            var ceremony = RegistrationCeremony()
            let point = [y] + [UInt8](repeating: 0, count: 31)
            ceremony.authenticatorData = ceremony.passkey.attestedAuthenticatorData(
                coseKey: Self.okp(-8, 6, point).encoded(ordering: .ctap2))
            verdicts[y] = await ceremony.verify().refusal
        }
        #expect(verdicts[2] == refusal(.registration, 20, .publicKeyInvalid))
        #expect(verdicts[3] == .some(nil))
        #expect(verdicts[4] == .some(nil))
    }

    @Test("Attack 18: S plus the group order is no signature", arguments: [-8, -53] as [Int64])
    func nonCanonicalS(_ algorithm: Int64) throws {
        let key = try TestKey.make(algorithm == -8 ? .edDSA : .ed448)
        let cose = try COSEPublicKey(key.cose)
        let message: [UInt8] = [1, 2, 3]
        let good = try key.sign(message)
        #expect(cose.isValid(signature: good[...], over: message[...], []))
        // Little-endian, RFC 8032 section 5.2.
        let order =
            algorithm == -8
            ? Self.order25519
            : hex(
                "f34458ab92c27823558fc58d72c26c219036d6ae49db4ec4e923ca7cffffffff"
                    + "ffffffffffffffffffffffffffffffffffffffffffffff3f00")
        let half = good.count / 2
        var carry = 0
        var spoilt = Array(good.prefix(half))
        for index in 0..<half {
            carry += Int(good[half + index]) + Int(order[index])
            spoilt.append(UInt8(carry & 0xFF))
            carry >>= 8
        }
        try #require(carry == 0)
        #expect(!cose.isValid(signature: spoilt[...], over: message[...], []))
    }

    @Test("Attack 18: an Ed25519 signature whose R has small order is none, whoever made it")
    func smallOrderR() throws {
        let key = Curve25519.Signing.PrivateKey()
        let point = Array(key.publicKey.rawRepresentation)
        let message: [UInt8] = [1, 2, 3]
        // R is the identity, which is r = 0, so that S = k·a.
        let identity = [1] + [UInt8](repeating: 0, count: 31)
        let k = Array(SHA512.hash(data: identity + point + message))
        var a = Array(SHA512.hash(data: key.rawRepresentation).prefix(32))
        a[0] &= 0xF8
        a[31] = a[31] & 0x7F | 0x40
        let signature = identity + Self.product(k, a)
        #expect(key.publicKey.isValidSignature(signature, for: message))
        let cose = try COSEPublicKey(Self.okp(-8, 6, point))
        #expect(!cose.isValid(signature: signature[...], over: message[...], []))
    }

    /// The product of two little-endian numbers modulo the order of Ed25519, in 32 bytes.
    private static func product(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        let context = BN_CTX_new()
        defer { BN_CTX_free(context) }
        let numbers = [left, right, order25519].map { (bytes: [UInt8]) in
            BN_lebin2bn(bytes, CInt(bytes.count), nil)
        }
        defer { numbers.forEach { BN_free($0) } }
        BN_mod_mul(numbers[0], numbers[0], numbers[1], numbers[2], context)
        var bytes = [UInt8](repeating: 0, count: 32)
        BN_bn2lebinpad(numbers[0], &bytes, 32)
        return bytes
    }

    /// Little-endian, RFC 8032 section 5.1.
    private static let order25519 = hex(
        "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")

    @Test("Attack 18: an Ed25519 key of small order in a certificate verifies no signature")
    func weakCertifiedKey() throws {
        let identity = [1] + [UInt8](repeating: 0, count: 31)
        let weak = try Curve25519.Signing.PublicKey(rawRepresentation: identity)
        let signature = identity + [UInt8](repeating: 0, count: 32)
        #expect(weak.isValidSignature(signature, for: [7] as [UInt8]))
        let leaf = try AttestationAuthority().issue(of: .init(weak))
        let chain = try AttestationChain(der: [leaf.der])
        let verifier = try #require(COSESignatureVerifier(chain.leaf, algorithm: .edDSA))
        #expect(!verifier.isValid(signature: signature[...], over: [7], []))
    }

    @Test(
        "Attack 18: a signature of another length is none",
        arguments: [.edDSA, .ed448, .mlDSA65, .mlDSA87, .rs256, .ps256] as [COSEAlgorithm])
    func lengths(_ algorithm: COSEAlgorithm) throws {
        let key = try TestKey.make(algorithm)
        let cose = try COSEPublicKey(key.cose)
        let good = try key.sign([1])
        #expect(cose.isValid(signature: good[...], over: [1], []))
        for spoilt in [
            [], Array(good.dropLast()), good + [0], [0] + good, [UInt8](good.reversed()),
        ] {
            #expect(!cose.isValid(signature: spoilt[...], over: [1], []))
        }
    }

    @Test("Attack 18: ES256K takes DER and nothing but DER; high and low S both count")
    func es256k() throws {
        let key = try TestKey.make(.es256k)
        let cose = try COSEPublicKey(key.cose)
        let good = try key.sign([1, 2])
        #expect(cose.isValid(signature: good[...], over: [1], [2]))
        for spoilt in [
            [0x30, 0x06, 2, 1, 0, 2, 1, 0], [0x30, 0x06, 2, 1, 1, 2, 1, 0], [0x30, 0],
            [0x30, 0x81, good[1]] + good.dropFirst(2), good + [0],
        ] as [[UInt8]] {
            #expect(!cose.isValid(signature: spoilt[...], over: [1], [2]))
        }
    }

    @Test("Attack 18: RSA with the exponents 3 and 2^32 - 1 is bounded, and accepted")
    func exponents() throws {
        let numbers = try TestKey.rsaKey.get().publicKey.getKeyPrimitives()
        for exponent in [[3], [1, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
            let key = CBORValue.map([
                CBOREntry(.integer(1), .integer(3)), CBOREntry(.integer(3), .integer(-257)),
                CBOREntry(.integer(-1), .byteString(numbers.modulus)),
                CBOREntry(.integer(-2), .byteString(exponent)),
            ])
            #expect(throws: Never.self) { try COSEPublicKey(key) }
        }
    }

    @Test("Attack 18: a key that fails is refused at sign-in too, as a key")
    func storedKey() throws {
        var ceremony = AssertionCeremony()
        let weak = Self.okp(-8, 6, [1] + [UInt8](repeating: 0, count: 31))
        ceremony.stored = StoredCredential(
            id: ceremony.passkey.credentialId, publicKey: weak.encoded(ordering: .ctap2),
            signCount: 4, backupEligible: true, userHandle: [7, 7])
        // R the identity, S zero: valid by every message under a point of small order.
        ceremony.signature = [1] + [UInt8](repeating: 0, count: 63)
        #expect(try ceremony.verify().refusal == refusal(.authentication, 21, .publicKeyInvalid))
    }
}
