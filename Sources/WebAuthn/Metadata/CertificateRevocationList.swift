// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
import X509

/// A certificate revocation list (RFC 5280 section 5) that its issuer signed itself.
///
/// Indirect and partial lists are refused: each is marked by a critical extension, and a list with
/// an unsupported critical extension must not be used (section 5.2).
struct CertificateRevocationList: Sendable {
    let issuer: DistinguishedName
    let thisUpdate: Timestamp
    let nextUpdate: Timestamp?
    private let serialNumbers: Set<[UInt8]>
    /// The signed bytes and the claimed signer.
    private let signedBytes: [UInt8]
    private let algorithm: Certificate.SignatureAlgorithm
    private let signature: [UInt8]

    /// The longest list that is read, in bytes.
    static let maximumBytes = 4 << 20

    enum ParseError: Error, Equatable {
        case tooLarge
        case contradictoryAlgorithms
        case criticalExtension
    }

    init(der: [UInt8]) throws {
        guard der.count <= Self.maximumBytes else { throw ParseError.tooLarge }
        let parts = try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
            guard let list = nodes.next(), let algorithm = nodes.next() else {
                throw ASN1Error.truncatedASN1Field()
            }
            return (list, algorithm, try ASN1BitString(derEncoded: &nodes))
        }
        let content = try Content(parts.0)
        guard content.algorithm.encodedBytes == parts.1.encodedBytes else {
            throw ParseError.contradictoryAlgorithms
        }
        issuer = content.issuer
        thisUpdate = content.thisUpdate
        nextUpdate = content.nextUpdate
        serialNumbers = content.serialNumbers
        signedBytes = Array(parts.0.encodedBytes)
        algorithm = try SignedStatusFields.signatureAlgorithm(parts.1)
        signature = Array(parts.2.bytes)
    }

    /// Whether the list is by the subject of that certificate: name, right to sign lists, and
    /// signature.
    func isIssued(by certificate: Certificate) -> Bool {
        guard certificate.subject == issuer else { return false }
        guard let usage = try? certificate.extensions.keyUsage else {
            // No extension, no restriction; one that cannot be read has none of our trust.
            guard certificate.extensions[oid: .X509ExtensionID.keyUsage] == nil else {
                return false
            }
            return hasSignature(of: certificate)
        }
        return usage.cRLSign && hasSignature(of: certificate)
    }

    private func hasSignature(of certificate: Certificate) -> Bool {
        certificate.publicKey.isValidSignature(
            signature, for: signedBytes, signatureAlgorithm: algorithm)
    }

    func lists(_ certificate: AttestationCertificate) -> Bool {
        serialNumbers.contains(certificate.serialOctets)
    }

    func isCurrent(at now: Timestamp) -> Bool {
        guard let nextUpdate else { return false }
        return thisUpdate <= now && now <= nextUpdate
    }
}

extension CertificateRevocationList {
    /// `TBSCertList` (section 5.1.2).
    private struct Content {
        let algorithm: ASN1Node
        let issuer: DistinguishedName
        let thisUpdate: Timestamp
        let nextUpdate: Timestamp?
        let serialNumbers: Set<[UInt8]>

        init(_ node: ASN1Node) throws {
            self = try DER.sequence(node, identifier: .sequence) { nodes in
                try Content(&nodes)
            }
        }

        private init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
            var node = nodes.next()
            if node?.identifier == .integer { node = nodes.next() }
            guard let algorithm = node else { throw ASN1Error.truncatedASN1Field() }
            self.algorithm = algorithm
            guard let name = nodes.next(), let first = nodes.next() else {
                throw ASN1Error.truncatedASN1Field()
            }
            issuer = try DistinguishedName(derEncoded: name)
            thisUpdate = try SignedStatusFields.time(first)
            node = nodes.next()
            if let time = node, [.utcTime, .generalizedTime].contains(time.identifier) {
                nextUpdate = try SignedStatusFields.time(time)
                node = nodes.next()
            } else {
                nextUpdate = nil
            }
            if let revoked = node, revoked.identifier == .sequence {
                serialNumbers = try Self.revoked(revoked)
                node = nodes.next()
            } else {
                serialNumbers = []
            }
            if let tagged = node { try Self.checkTagged(tagged) }
        }

        private static func revoked(_ node: ASN1Node) throws -> Set<[UInt8]> {
            var numbers: Set<[UInt8]> = []
            guard case .constructed(let entries) = node.content else {
                throw ASN1Error.unexpectedFieldType(node.identifier)
            }
            for entry in entries {
                let number = try DER.sequence(entry, identifier: .sequence) { nodes in
                    let number = try SignedStatusFields.serialOctets(nodes.next())
                    guard let time = nodes.next() else { throw ASN1Error.truncatedASN1Field() }
                    _ = try SignedStatusFields.time(time)
                    if let extensions = nodes.next() { try checkExtensions(extensions) }
                    return number
                }
                numbers.insert(number)
            }
            return numbers
        }

        /// `crlExtensions`, `[0] EXPLICIT`.
        private static func checkTagged(_ node: ASN1Node) throws {
            guard case .constructed(let inner) = node.content else {
                throw ASN1Error.unexpectedFieldType(node.identifier)
            }
            for extensions in inner { try checkExtensions(extensions) }
        }

        private static func checkExtensions(_ node: ASN1Node) throws {
            guard case .constructed(let extensions) = node.content else {
                throw ASN1Error.unexpectedFieldType(node.identifier)
            }
            for item in extensions {
                try DER.sequence(item, identifier: .sequence) { nodes in
                    _ = try ASN1ObjectIdentifier(derEncoded: &nodes)
                    let isCritical = try DER.decodeDefault(&nodes, defaultValue: false)
                    _ = try ASN1OctetString(derEncoded: &nodes)
                    guard !isCritical else { throw ParseError.criticalExtension }
                }
            }
        }
    }
}
