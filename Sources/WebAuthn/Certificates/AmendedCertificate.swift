// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// A certificate that swift-certificates does not read as it was sent.
///
/// Two kinds are in the field: serial numbers that are negative, which "certificate users SHOULD be
/// prepared to gracefully handle" (RFC 5280 section 4.1.2.2), and keys of ML-DSA (RFC 9881), which
/// Android's key store certifies. The fields are read from a copy in which those two are replaced;
/// signatures are verified over what was sent.
struct AmendedCertificate {
    /// The copy.
    let certificate: Certificate
    /// `tbsCertificate` as it was signed.
    let signedBytes: ArraySlice<UInt8>
    /// The certified key where it is of ML-DSA.
    let mlDSAKey: MLDSAPublicKey?
    let isSerialNegative: Bool

    /// `nil` when the certificate cannot be read for another reason.
    init?(der: [UInt8]) {
        guard let parts = Self.children(try? DER.parse(der)), parts.count == 3,
            let fields = Self.children(parts[0]),
            let serial = fields.firstIndex(where: { $0.identifier == .integer }),
            fields.count > serial + 5
        else { return nil }
        let key = Self.mlDSAKey(fields[serial + 5])
        var bytes = fields.map { Array($0.encodedBytes) }
        let positive = Self.positive(fields[serial])
        if let positive { bytes[serial] = positive }
        if key != nil { bytes[serial + 5] = Self.noKey }
        let copy = Self.sequence(
            [Self.sequence(bytes)] + parts.dropFirst().map { Array($0.encodedBytes) })
        guard let certificate = try? Certificate(derEncoded: copy) else { return nil }
        self.certificate = certificate
        signedBytes = parts[0].encodedBytes
        mlDSAKey = key
        isSerialNegative = positive != nil
    }

    private static func children(_ node: ASN1Node?) -> [ASN1Node]? {
        guard let node, node.identifier == .sequence, case .constructed(let nodes) = node.content
        else { return nil }
        return Array(nodes)
    }

    private static func sequence(_ elements: [[UInt8]]) -> [UInt8] {
        var serializer = DER.Serializer()
        serializer.appendConstructedNode(identifier: .sequence) { coder in
            for element in elements { coder.serializeRawBytes(element) }
        }
        return serializer.serializedBytes
    }

    /// The octets of a negative INTEGER as those of a positive one; `nil` for any other.
    private static func positive(_ node: ASN1Node) -> [UInt8]? {
        guard case .primitive(let octets) = node.content, let first = octets.first, first >= 0x80,
            octets.count < 0x7F
        else { return nil }
        return [0x02, UInt8(octets.count + 1), 0x00] + octets
    }

    /// `SubjectPublicKeyInfo` of ML-DSA (RFC 9881 section 4): no parameters, the encoded key.
    private static func mlDSAKey(_ node: ASN1Node) -> MLDSAPublicKey? {
        guard let info = children(node), info.count == 2, let algorithm = children(info[0]),
            algorithm.count == 1,
            let identifier = try? ASN1ObjectIdentifier(derEncoded: algorithm[0]),
            let set = parameterSets[identifier],
            let bits = try? ASN1BitString(derEncoded: info[1]), bits.paddingBits == 0
        else { return nil }
        return MLDSAPublicKey(Array(bits.bytes), set)
    }

    private static let parameterSets: [ASN1ObjectIdentifier: MLDSAParameterSet] = [
        [2, 16, 840, 1, 101, 3, 4, 3, 17]: .mlDSA44, [2, 16, 840, 1, 101, 3, 4, 3, 18]: .mlDSA65,
        [2, 16, 840, 1, 101, 3, 4, 3, 19]: .mlDSA87,
    ]

    /// A point of P-256 with an unknown logarithm that replaces the key, so no signature is valid.
    /// Its x begins at the SHA-256 hash of a text, which in Base64 is
    /// `R2F0ZWhvdXNlOiBhIHBvaW50IHdob3NlIGxvZ2FyaXRobSBub2JvZHkga25vd3M=`.
    private static let noKey: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
        0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04, 0x8C,
        0x2E, 0xF8, 0xF8, 0x15, 0x07, 0xA9, 0xAC, 0xC4, 0x12, 0xDA, 0xBF, 0xC0, 0x41, 0x43,
        0x47, 0x6A, 0xA1, 0xC0, 0x56, 0xA6, 0xA8, 0x13, 0x32, 0xEB, 0x65, 0x35, 0x47, 0xA9,
        0x9E, 0xE9, 0x18, 0xBD, 0x0B, 0xCD, 0x37, 0x41, 0x94, 0x5F, 0x99, 0x8E, 0xEC, 0xFF,
        0x72, 0x34, 0x1A, 0x53, 0x84, 0x86, 0x7A, 0xC9, 0x85, 0x1F, 0xB3, 0x55, 0x07, 0x3E,
        0x86, 0xEB, 0xFA, 0x02, 0x69, 0x13, 0x89,
    ]
}
