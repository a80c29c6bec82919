// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// `TPMT_PUBLIC` (TPM 2.0 Library Part 2, section 12.2.4): the public part of a key in a TPM.
package struct TPMPublicArea: Sendable {
    /// The key itself.
    package enum Key: Sendable, Equatable {
        /// Big-endian numbers. The TPM encodes the exponent 65537 as 0.
        case rsa(modulus: [UInt8], exponent: UInt32)
        /// Coordinates as they were sent, at most as long as the curve's field.
        case point(curve: UInt16, x: [UInt8], y: [UInt8])
    }

    /// `TPM_ALG_ID` of the hash that makes the object's name.
    package let nameAlgorithm: UInt16
    /// `TPMA_OBJECT` (section 8.3).
    package let attributes: Attributes
    package let key: Key
    /// The symmetric algorithm that protects child keys; `nil` if there is none.
    package let symmetric: Symmetric?
    private let bytes: ArraySlice<UInt8>

    /// `TPMT_SYM_DEF_OBJECT`.
    package struct Symmetric: Sendable, Equatable {
        package let algorithm: UInt16
        package let keyBits: UInt16
        package let mode: UInt16

        static let aes128CFB = Symmetric(algorithm: 0x0006, keyBits: 128, mode: 0x0043)
    }

    /// The permitted uses of the key, as far as they are needed here.
    package struct Attributes: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// It cannot be moved to another TPM.
        package static let fixedTPM = Attributes(rawValue: 1 << 1)
        /// It cannot be moved below another key.
        package static let fixedParent = Attributes(rawValue: 1 << 4)
        /// The TPM made the private part itself.
        package static let sensitiveDataOrigin = Attributes(rawValue: 1 << 5)
        /// It signs only what the TPM made.
        package static let restricted = Attributes(rawValue: 1 << 16)
        package static let decrypt = Attributes(rawValue: 1 << 17)
        package static let signEncrypt = Attributes(rawValue: 1 << 18)
    }

    private static let algorithmRSA: UInt16 = 0x0001
    private static let algorithmECC: UInt16 = 0x0023
    private static let algorithmNull: UInt16 = 0x0010

    package init(_ bytes: ArraySlice<UInt8>) throws(TPMStructureError) {
        self.bytes = bytes
        var reader = TPMReader(bytes)
        let type = try reader.uint16()
        nameAlgorithm = try reader.uint16()
        attributes = Attributes(rawValue: try reader.uint32())
        _ = try reader.sized(limit: 64)  // authPolicy
        guard [Self.algorithmRSA, Self.algorithmECC].contains(type) else {
            throw .unsupported("key type \(type)")
        }
        symmetric = try Self.symmetric(&reader)
        key =
            type == Self.algorithmRSA ? try Self.rsa(&reader) : try Self.point(&reader)
        try reader.end()
    }

    /// Whether other objects can be below it with the protection of TCG's usual endorsement keys:
    /// SHA-256 and AES-128-CFB (TCG EK Credential Profile, templates L-1, L-2, H-1 and H-2).
    package var isStorageKey: Bool {
        nameAlgorithm == 0x000B && symmetric == .aes128CFB
            && attributes.isSuperset(of: [.restricted, .decrypt])
            && !attributes.contains(.signEncrypt)
    }

    /// Returns the object's name (TPM 2.0 Library Part 1, section 16): the name algorithm, then its
    /// hash of the area; `nil` for an algorithm that is not accepted.
    package func name(acceptsSHA1: Bool = false) -> [UInt8]? {
        let hash: COSEHash
        switch nameAlgorithm {
        case 0x0004 where acceptsSHA1: hash = .sha1
        case 0x000B: hash = .sha256
        case 0x000C: hash = .sha384
        case 0x000D: hash = .sha512
        default: return nil
        }
        return [
            UInt8(truncatingIfNeeded: nameAlgorithm >> 8),
            UInt8(truncatingIfNeeded: nameAlgorithm),
        ] + hash.digest(bytes)
    }

    /// The key as a JWK; `nil` if credentials cannot have such a key.
    package var publicKey: PublicJWK? { KeyMaterial(key).flatMap { PublicJWK($0) } }

    /// `TPMS_RSA_PARMS` and `TPM2B_PUBLIC_KEY_RSA`.
    private static func rsa(_ reader: inout TPMReader) throws(TPMStructureError) -> Key {
        try skipScheme(&reader)
        let bits = Int(try reader.uint16())
        let exponent = try reader.uint32()
        let modulus = try reader.sized(limit: 1024)
        guard modulus.count * 8 == bits else { throw .unsupported("modulus of \(bits) bits") }
        return .rsa(modulus: Array(modulus), exponent: exponent == 0 ? 65537 : exponent)
    }

    /// `TPMS_ECC_PARMS` and `TPMS_ECC_POINT`.
    private static func point(_ reader: inout TPMReader) throws(TPMStructureError) -> Key {
        try skipScheme(&reader)
        let curve = try reader.uint16()
        try skipScheme(&reader)  // kdf
        let x = try reader.sized(limit: 66)
        let y = try reader.sized(limit: 66)
        return .point(curve: curve, x: Array(x), y: Array(y))
    }

    /// `TPMT_SYM_DEF_OBJECT`: nothing, or an algorithm with key size and mode.
    private static func symmetric(
        _ reader: inout TPMReader
    ) throws(TPMStructureError) -> Symmetric? {
        let algorithm = try reader.uint16()
        guard algorithm != algorithmNull else { return nil }
        return Symmetric(
            algorithm: algorithm, keyBits: try reader.uint16(), mode: try reader.uint16())
    }

    /// Skips `TPMT_RSA_SCHEME`, `TPMT_ECC_SCHEME` or `TPMT_KDF_SCHEME`: nothing, or an algorithm
    /// with its hash. ECDAA also has a counter, and RSAES no hash; credential keys use neither.
    private static func skipScheme(_ reader: inout TPMReader) throws(TPMStructureError) {
        let scheme = try reader.uint16()
        switch scheme {
        case algorithmNull: return
        case 0x0015, 0x001A: throw .unsupported("scheme \(scheme)")
        default: _ = try reader.uint16()
        }
    }
}
