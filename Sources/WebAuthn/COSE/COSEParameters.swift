// SPDX-License-Identifier: Apache-2.0
import CBOR

/// The parameters of a COSE key by label: 1 kty, 3 alg, then those of the key type.
struct COSEParameters {
    private let entries: [CBOREntry]
    let algorithm: Int64

    private static let okp: Int64 = 1
    private static let ec2: Int64 = 2
    private static let rsa: Int64 = 3
    private static let akp: Int64 = 7

    init(_ entries: [CBOREntry]) throws(COSEKeyError) {
        self.entries = entries
        // A number beyond Int64 is an unknown algorithm; it must not trap.
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
        return try .point(curve, x: try bytes(-2), y: try bytes(-3))
    }

    func ed25519Key() throws(COSEKeyError) -> KeyMaterial {
        try require(keyType: Self.okp, count: 4)
        try require(curve: 6)
        let point = try bytes(-2)
        guard let key = Ed25519PublicKey(point) else { throw .invalidPoint }
        guard Ed25519Point.isAcceptable(point) else { throw .weakPoint }
        return .ed25519(key)
    }

    func ed448Key() throws(COSEKeyError) -> KeyMaterial {
        try require(keyType: Self.okp, count: 4)
        try require(curve: 7)
        let point = Array(try bytes(-2))
        guard point.count == 57 else { throw .invalidPoint }
        guard Ed448Point.isAcceptable(point) else { throw .weakPoint }
        guard EdwardsCurve.ed448.contains(encoded: point),
            let key = OpenSSLPublicKey.ed448(point)
        else { throw .invalidPoint }
        return .ed448(key)
    }

    func rsaKey() throws(COSEKeyError) -> KeyMaterial {
        try require(keyType: Self.rsa, count: 4)
        return try .rsa(modulus: try bytes(-1), exponent: try bytes(-2))
    }

    /// `AKP`, "algorithm key pair": the key is one string, at label -1.
    func mlDSAKey(_ set: MLDSAParameterSet) throws(COSEKeyError) -> KeyMaterial {
        try require(keyType: Self.akp, count: 3)
        guard let key = MLDSAPublicKey(Array(try bytes(-1)), set) else { throw .invalidLength }
        return .mlDSA(key)
    }
}
