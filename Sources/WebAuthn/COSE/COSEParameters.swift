// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import CryptoExtras

/// The parameters of a COSE key by label: 1 kty, 3 alg, then those of the key type.
struct COSEParameters {
    private let entries: [CBOREntry]
    let algorithm: Int64

    private static let okp: Int64 = 1
    private static let ec2: Int64 = 2
    private static let rsa: Int64 = 3

    init(_ entries: [CBOREntry]) throws(COSEKeyError) {
        self.entries = entries
        // A number beyond Int64 is an algorithm that nobody knows; it must not trap.
        switch Self.value(3, in: entries) {
        case .unsigned(let number): algorithm = Int64(exactly: number) ?? .max
        case .negative(let number): algorithm = Int64(exactly: number).map { ~$0 } ?? .min
        default: throw .malformed
        }
    }

    private static func value(_ label: Int64, in entries: [CBOREntry]) -> CBORValue? {
        entries.first { $0.key.int64 == label }?.value
    }

    /// Checks the key type, and that there are exactly `count` parameters.
    private func require(keyType: Int64, count: Int) throws(COSEKeyError) {
        guard let found = Self.value(1, in: entries)?.int64 else { throw .malformed }
        guard found == keyType else { throw .algorithmMismatch }
        guard entries.count == count else { throw .malformed }
    }

    private func bytes(_ label: Int64) throws(COSEKeyError) -> ArraySlice<UInt8> {
        guard let bytes = Self.value(label, in: entries)?.byteString else { throw .malformed }
        return bytes
    }

    private func require(curve: Int64) throws(COSEKeyError) {
        guard let found = Self.value(-1, in: entries)?.int64 else { throw .malformed }
        guard found == curve else { throw .algorithmMismatch }
    }

    /// Both coordinates in full; a compressed point (`y` as a sign bit) is not allowed by
    /// WebAuthn section 5.8.5.
    func ellipticCurveKey(_ curve: COSECurve) throws(COSEKeyError) -> KeyMaterial {
        try require(keyType: Self.ec2, count: 5)
        try require(curve: curve.rawValue)
        let (x, y) = (try bytes(-2), try bytes(-3))
        guard x.count == curve.coordinateLength, y.count == curve.coordinateLength else {
            throw .invalidPoint
        }
        // The library checks that the point is on the curve and is not the point at infinity.
        do {
            switch curve {
            case .p256: return .p256(try P256.Signing.PublicKey(rawRepresentation: x + y))
            case .p384: return .p384(try P384.Signing.PublicKey(rawRepresentation: x + y))
            case .p521: return .p521(try P521.Signing.PublicKey(rawRepresentation: x + y))
            }
        } catch { throw .invalidPoint }
    }

    func ed25519Key() throws(COSEKeyError) -> KeyMaterial {
        try require(keyType: Self.okp, count: 4)
        try require(curve: 6)
        let point = try bytes(-2)
        guard point.count == 32 else { throw .invalidPoint }
        guard Ed25519Point.isAcceptable(point) else { throw .weakPoint }
        do {
            return .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: point))
        } catch { throw .invalidPoint }
    }

    /// The bounds keep out weak keys, and keys whose use would cost too much.
    func rsaKey() throws(COSEKeyError) -> KeyMaterial {
        try require(keyType: Self.rsa, count: 4)
        let (modulus, exponent) = (try bytes(-1), try bytes(-2))
        guard let high = modulus.first, let low = modulus.last, high != 0, low & 1 == 1,
            2048...8192 ~= modulus.count * 8 - high.leadingZeroBitCount
        else { throw .invalidModulus }
        guard 3...4 ~= exponent.count, exponent.first != 0, let last = exponent.last,
            last & 1 == 1, exponent.count == 4 || (exponent.first ?? 0) >= 1
        else { throw .invalidExponent }
        do {
            return .rsa(try _RSA.Signing.PublicKey(n: modulus, e: exponent))
        } catch { throw .invalidModulus }
    }
}
