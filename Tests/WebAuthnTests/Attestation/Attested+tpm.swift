// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import Crypto
import CryptoExtras
import SwiftASN1
import WebAuthn
import X509

extension Attested {
    /// The two structures of a TPM attestation; right unless changed.
    struct TPM {
        var magic: [UInt8] = [0xFF, 0x54, 0x43, 0x47]
        var type: [UInt8] = [0x80, 0x17]
        var extraData: [UInt8]
        var nameAlgorithm: [UInt8] = [0x00, 0x0B]
        /// In place of the hash of the public area.
        var nameHash: [UInt8]?
        /// `TPMT_PUBLIC` behind the name algorithm.
        var area: [UInt8]
        var afterArea: [UInt8] = []
        var afterInfo: [UInt8] = []

        static func sized(_ bytes: [UInt8]) -> [UInt8] {
            [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
        }

        var type16: [UInt8] { Array(area.prefix(2)) }
        var publicArea: [UInt8] { type16 + nameAlgorithm + area.dropFirst(2) + afterArea }

        var certInfo: [UInt8] {
            let hash =
                nameAlgorithm == [0x00, 0x04]
                ? Array(Insecure.SHA1.hash(data: publicArea))
                : Array(SHA256.hash(data: publicArea))
            return magic + type + Self.sized([1, 2, 3]) + Self.sized(extraData)
                + [UInt8](repeating: 0x33, count: 25)
                + Self.sized(nameAlgorithm + (nameHash ?? hash)) + Self.sized([]) + afterInfo
        }

        /// The public area of a point on P-256, without the name algorithm.
        static func point(_ point: [UInt8], curve: UInt8 = 3) -> [UInt8] {
            [0x00, 0x23, 0, 4, 0, 0] + sized([]) + [0, 0x10, 0, 0x10, 0, curve, 0, 0x10]
                + sized(Array(point.prefix(32))) + sized(Array(point.suffix(32)))
        }

        /// The public area of an RSA key with the exponent that TPMs leave out, 65537.
        static func rsa(modulus: [UInt8]) -> [UInt8] {
            let bits = modulus.count * 8
            return [0x00, 0x01, 0, 4, 0, 0] + sized([1, 2]) + [0, 0x10, 0, 0x14, 0, 0x0B]
                + [UInt8(bits >> 8), UInt8(bits & 0xFF), 0, 0, 0, 0] + sized(modulus)
        }
    }

    /// The certificate of an attestation identity key.
    static func identityLeaf(
        vendor: String = "id:49424D00", usage: ASN1Usage = .attestationIdentityKey,
        sanIsCritical: Bool = true
    ) throws -> AttestationAuthority.Leaf {
        var leaf = AttestationAuthority.Leaf(
            country: nil, organization: nil, unit: nil, name: nil)
        leaf.extensions = [
            try .init(SubjectAlternativeNames.tpm(vendor: vendor), critical: sanIsCritical),
            try .init(try ExtendedKeyUsage([usage.value]), critical: false),
        ]
        return leaf
    }

    enum ASN1Usage {
        case attestationIdentityKey, codeSigning

        var value: ExtendedKeyUsage.Usage {
            switch self {
            case .attestationIdentityKey: .init(oid: [2, 23, 133, 8, 3])
            case .codeSigning: .codeSigning
            }
        }
    }

    /// The structures for this ceremony, ES256 all over.
    var tpmStructures: TPM {
        let point = Array(ceremony.passkey.key.publicKey.rawRepresentation)
        return TPM(extraData: Array(SHA256.hash(data: message)), area: TPM.point(point))
    }

    static func tpm(
        _ change: (inout TPM) -> Void = { _ in }, leaf: AttestationAuthority.Leaf? = nil
    ) throws -> Attested {
        var made = try Attested(format: "tpm")
        let issued = try made.authority.issue(try leaf ?? identityLeaf())
        var structures = made.tpmStructures
        change(&structures)
        let signature = try issued.key.signature(for: structures.certInfo)
        made.fill(
            structures, algorithm: -7, signature: Array(signature.derRepresentation),
            path: [try issued.der, try made.authority.intermediate.der])
        return made
    }

    mutating func fill(_ tpm: TPM, algorithm: Int64, signature: [UInt8], path: [[UInt8]]) {
        statement = [
            "ver": .text("2.0"), "alg": .integer(algorithm), "sig": .byteString(signature),
            "x5c": WebAuthnTests.x5c(path), "pubArea": .byteString(tpm.publicArea),
            "certInfo": .byteString(tpm.certInfo),
        ]
    }

    /// An RSA key in the TPM, attested by an RSA key of it.
    static func tpmRSA(attestedBy algorithm: COSEAlgorithm) throws -> Attested {
        var made = try Attested(format: "tpm")
        made.use(try TestKey.make(.rs256))
        let key = try TestKey.rsaKey.get()
        let modulus = Array(try key.publicKey.getKeyPrimitives().modulus)
        let isSHA1 = algorithm == .rs1
        var tpm = TPM(extraData: [], area: TPM.rsa(modulus: modulus))
        tpm.extraData =
            isSHA1
            ? Array(Insecure.SHA1.hash(data: made.message))
            : Array(SHA256.hash(data: made.message))
        if isSHA1 { tpm.nameAlgorithm = [0x00, 0x04] }
        let issued = try made.authority.issue(try identityLeaf(), of: .init(key.publicKey))
        made.fill(
            tpm, algorithm: algorithm.rawValue,
            signature: try TestKey.make(algorithm).sign(tpm.certInfo),
            path: [try issued.der, try made.authority.intermediate.der])
        return made
    }
}
