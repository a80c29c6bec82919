// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import SwiftASN1

/// Certificates that swift-certificates cannot write: with a negative serial number, or a key of ML-DSA.
package enum ReissuedCertificate {
    package struct Unreadable: Error {}

    /// Returns the same certificate with other parts and a new signature of its issuer.
    ///
    /// - Parameters:
    ///   - serial: Content of the INTEGER; `[0xFE]` is -2.
    ///   - keyInfo: `SubjectPublicKeyInfo`, DER.
    package static func make(
        of der: [UInt8], by issuer: AttestationAuthority.Issued, serial: [UInt8]? = nil,
        keyInfo: [UInt8]? = nil
    ) throws -> [UInt8] {
        let parts = try children(of: try DER.parse(der))
        let fields = try children(of: parts[0])
        guard let index = fields.firstIndex(where: { $0.identifier == .integer }) else {
            throw Unreadable()
        }
        var bytes = fields.map { Array($0.encodedBytes) }
        if let serial { bytes[index] = DERWriter.element(0x02, serial) }
        if let keyInfo { bytes[index + 5] = keyInfo }
        let content = DERWriter.sequence(bytes)
        let signature = try issuer.key.signature(for: content).derRepresentation
        return DERWriter.sequence([
            content, Array(parts[1].encodedBytes), DERWriter.bitString(Array(signature)),
        ])
    }

    /// `SubjectPublicKeyInfo` of a key of ML-DSA-65 (RFC 9881 section 4).
    package static func mlDSA65(_ key: [UInt8]) -> [UInt8] {
        DERWriter.sequence([
            DERWriter.sequence([DERWriter.objectIdentifier([2, 16, 840, 1, 101, 3, 4, 3, 18])]),
            DERWriter.bitString(key),
        ])
    }

    private static func children(of node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else { throw Unreadable() }
        return Array(nodes)
    }
}
