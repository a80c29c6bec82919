// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
import X509

/// The common parts of revocation lists and OCSP responses: signature algorithms and times.
enum SignedStatusFields {
    enum ParseError: Error, Equatable {
        case unsupportedAlgorithm
        case time
        case serialNumber
    }

    /// The content of a serial number, negative ones too: see ``AttestationCertificate/serialOctets``.
    static func serialOctets(_ node: ASN1Node?) throws -> [UInt8] {
        guard let node, node.identifier == .integer, case .primitive(let octets) = node.content,
            let first = octets.first
        else { throw ParseError.serialNumber }
        // X.690 section 8.3.2: the first nine bits differ.
        let isLong = octets.dropFirst().first.map {
            (first == 0 && $0 < 0x80) || (first == 0xFF && $0 >= 0x80)
        }
        guard isLong != true else { throw ParseError.serialNumber }
        return Array(octets)
    }

    /// SHA-2 with RSA, ECDSA, and Ed25519; nothing with SHA-1.
    static func signatureAlgorithm(_ node: ASN1Node) throws -> Certificate.SignatureAlgorithm {
        let identifier = try DER.sequence(node, identifier: .sequence) { nodes in
            let identifier = try ASN1ObjectIdentifier(derEncoded: &nodes)
            _ = nodes.next()
            return identifier
        }
        switch identifier {
        case [1, 2, 840, 10045, 4, 3, 2]: return .ecdsaWithSHA256
        case [1, 2, 840, 10045, 4, 3, 3]: return .ecdsaWithSHA384
        case [1, 2, 840, 10045, 4, 3, 4]: return .ecdsaWithSHA512
        case [1, 2, 840, 113549, 1, 1, 11]: return .sha256WithRSAEncryption
        case [1, 2, 840, 113549, 1, 1, 12]: return .sha384WithRSAEncryption
        case [1, 2, 840, 113549, 1, 1, 13]: return .sha512WithRSAEncryption
        case [1, 3, 101, 112]: return .ed25519
        default: throw ParseError.unsupportedAlgorithm
        }
    }

    /// UTCTime or GeneralizedTime.
    static func time(_ node: ASN1Node) throws -> Timestamp {
        let text: String
        if node.identifier == .utcTime {
            let time = try UTCTime(derEncoded: node)
            text = Self.text(
                [time.year, time.month, time.day, time.hours, time.minutes, time.seconds])
        } else {
            let time = try GeneralizedTime(derEncoded: node)
            text = Self.text(
                [time.year, time.month, time.day, time.hours, time.minutes, time.seconds])
        }
        guard let timestamp = Timestamp(rfc3339: text) else { throw ParseError.time }
        return timestamp
    }

    private static func text(_ parts: [Int]) -> String {
        let padded = parts.map { part in
            let digits = String(part)
            return String(repeating: "0", count: max(0, 2 - digits.count)) + digits
        }
        return padded[0...2].joined(separator: "-") + "T"
            + padded[3...5].joined(separator: ":") + "Z"
    }
}
