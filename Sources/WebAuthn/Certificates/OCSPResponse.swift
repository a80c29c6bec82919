// SPDX-License-Identifier: Apache-2.0
import Primitives
import SwiftASN1
import X509

/// An OCSP response (RFC 6960 section 4.2), decoded and not verified.
struct OCSPResponse: Sendable {
    enum Word: Sendable, Equatable {
        case good, revoked, unknown
    }

    /// The status of one certificate.
    struct Single: Sendable {
        /// `CertID`, DER.
        let certificateID: [UInt8]
        let word: Word
        let thisUpdate: Timestamp
        let nextUpdate: Timestamp?
    }

    let singles: [Single]
    private let signedBytes: [UInt8]
    private let algorithm: Certificate.SignatureAlgorithm
    private let signature: [UInt8]
    /// The certificates in the response, one of which may be the responder's.
    private let certificates: [Certificate]

    /// The maximum size of a response, in bytes.
    static let maximumBytes = 65_536
    private static let maximumSingles = 64

    enum ParseError: Error, Equatable {
        case tooLarge
        /// The responder sent an error status.
        case unsuccessful
        case type
        case criticalExtension
    }

    init(der: [UInt8]) throws {
        guard der.count <= Self.maximumBytes else { throw ParseError.tooLarge }
        let basic = try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
            guard let status = nodes.next(), status.identifier == .enumerated,
                case .primitive(let value) = status.content
            else { throw ASN1Error.truncatedASN1Field() }
            let content = try DER.optionalExplicitlyTagged(
                &nodes, tagNumber: 0, tagClass: .contextSpecific
            ) { try Self.basic($0) }
            guard value.elementsEqual([0]), let content else { throw ParseError.unsuccessful }
            return content
        }
        self = try DER.sequence(try DER.parse(basic), identifier: .sequence) { nodes in
            try OCSPResponse(basic: &nodes)
        }
    }

    /// `ResponseBytes`: the only kind that there is.
    private static func basic(_ node: ASN1Node) throws -> ArraySlice<UInt8> {
        try DER.sequence(node, identifier: .sequence) { nodes in
            let type = try ASN1ObjectIdentifier(derEncoded: &nodes)
            guard type == [1, 3, 6, 1, 5, 5, 7, 48, 1, 1] else { throw ParseError.type }
            return try ASN1OctetString(derEncoded: &nodes).bytes
        }
    }

    private init(basic nodes: inout ASN1NodeCollection.Iterator) throws {
        guard let data = nodes.next(), let algorithm = nodes.next() else {
            throw ASN1Error.truncatedASN1Field()
        }
        singles = try Self.singles(data)
        signedBytes = Array(data.encodedBytes)
        self.algorithm = try SignedStatusFields.signatureAlgorithm(algorithm)
        signature = Array(try ASN1BitString(derEncoded: &nodes).bytes)
        certificates =
            try DER.optionalExplicitlyTagged(
                &nodes, tagNumber: 0, tagClass: .contextSpecific
            ) { try DER.sequence(of: Certificate.self, identifier: .sequence, rootNode: $0) }
            ?? []
        guard certificates.count <= CertificatePath.maximumCertificates else {
            throw ParseError.tooLarge
        }
    }

    /// Reads `ResponseData`. The responder's name is ignored, because its signature identifies it.
    private static func singles(_ node: ASN1Node) throws -> [Single] {
        try DER.sequence(node, identifier: .sequence) { nodes in
            var next = nodes.next()
            if next?.identifier == tag(0) { next = nodes.next() }
            guard next != nil, nodes.next() != nil, let responses = nodes.next(),
                case .constructed(let all) = responses.content
            else { throw ASN1Error.truncatedASN1Field() }
            if let extensions = nodes.next() { try checkExtensions(extensions) }
            let nodes = Array(all.prefix(maximumSingles + 1))
            guard nodes.count <= maximumSingles else { throw ParseError.tooLarge }
            return try nodes.map(single)
        }
    }

    private static func single(_ node: ASN1Node) throws -> Single {
        try DER.sequence(node, identifier: .sequence) { nodes in
            guard let id = nodes.next(), let status = nodes.next(), let time = nodes.next() else {
                throw ASN1Error.truncatedASN1Field()
            }
            let nextUpdate = try DER.optionalExplicitlyTagged(
                &nodes, tagNumber: 0, tagClass: .contextSpecific
            ) { try SignedStatusFields.time($0) }
            if let extensions = nodes.next() { try checkExtensions(extensions) }
            let word: Word =
                switch status.identifier {
                case tag(0): .good
                case tag(1): .revoked
                default: .unknown
                }
            return Single(
                certificateID: Array(id.encodedBytes), word: word,
                thisUpdate: try SignedStatusFields.time(time), nextUpdate: nextUpdate)
        }
    }

    /// Checks `[1] EXPLICIT Extensions`: no critical extension is supported.
    private static func checkExtensions(_ node: ASN1Node) throws {
        guard node.identifier == tag(1), case .constructed(let inner) = node.content else {
            throw ASN1Error.unexpectedFieldType(node.identifier)
        }
        for list in inner {
            let all = try DER.sequence(
                of: Certificate.Extension.self, identifier: .sequence, rootNode: list)
            guard !all.contains(where: \.critical) else { throw ParseError.criticalExtension }
        }
    }

    private static func tag(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}

extension OCSPResponse {
    /// Whether the certificate's issuer signed the response, or a responder that this issuer
    /// authorized (section 4.2.2.2).
    func isBy(_ issuer: AttestationCertificate, now: Timestamp) -> Bool {
        if hasSignature(of: issuer.certificate.publicKey) { return true }
        return certificates.contains { responder in
            responder.issuer == issuer.certificate.subject
                && issuer.certificate.publicKey.isValidSignature(
                    responder.signature, for: responder)
                && AttestationCertificate(der: [], certificate: responder).isValid(at: now)
                && Self.isResponder(responder) && hasSignature(of: responder.publicKey)
        }
    }

    private static func isResponder(_ certificate: Certificate) -> Bool {
        guard let usages = try? certificate.extensions.extendedKeyUsage else { return false }
        return usages.contains(.ocspSigning)
    }

    private func hasSignature(of key: Certificate.PublicKey) -> Bool {
        key.isValidSignature(signature, for: signedBytes, signatureAlgorithm: algorithm)
    }
}
