// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
package import JOSE
package import Primitives
import SwiftASN1
package import WebAuthn
import X509

/// A fake metadata service: it signs BLOBs and revocation lists with one error each.
package struct MetadataPublisher {
    package static let name = "mds.example.org"
    package static let model = "ee882879-721c-4913-9775-3dfcce97072a"
    package static let now = Timestamp(seconds: 1_800_000_000)

    package let authority: AttestationAuthority
    package let signer: AttestationAuthority.Issued

    package init(authority: AttestationAuthority? = nil, names: [String] = [name]) throws {
        self.authority = try authority ?? AttestationAuthority()
        var leaf = AttestationAuthority.Leaf()
        leaf.extensions = [
            try Certificate.Extension(
                SubjectAlternativeNames(names.map { .dnsName($0) }), critical: false)
        ]
        signer = try self.authority.issue(leaf)
    }

    package func verifier(
        lists: [[UInt8]] = [], required: Bool = false, grace: TimeSpan? = nil
    ) throws -> MetadataBlobVerifier {
        try MetadataBlobVerifier(
            anchors: try TrustAnchors(der: [authority.root.der]), signer: .named(Self.name),
            revocationLists: lists, revocationRequired: required, grace: grace)
    }

    // MARK: Content

    /// One model whose statement is in order.
    package static func statement() -> JSONObject {
        var statement = JSONObject()
        statement["description"] = "Example Key"
        statement["protocolFamily"] = "fido2"
        statement["authenticatorVersion"] = 2
        statement["attestationTypes"] = ["basic_full"]
        statement["authenticationAlgorithms"] = ["secp256r1_ecdsa_sha256_raw"]
        statement["attestationRootCertificates"] = []
        statement["keyProtection"] = ["hardware", "secure_element"]
        return statement
    }

    package static func entry(
        aaguid: String = model, reports: [JSONValue] = [], statement: JSONObject = statement()
    ) -> JSONValue {
        [
            "aaguid": .string(aaguid), "metadataStatement": .object(statement),
            "statusReports": .array(reports), "timeOfLastStatusChange": "2026-01-01",
        ]
    }

    package static func payload(
        number: Int64 = 7, nextUpdate: String = "2027-02-01", entries: [JSONValue] = [entry()]
    ) -> JSONObject {
        var payload = JSONObject()
        payload["legalHeader"] = "for tests"
        payload["no"] = .integer(number)
        payload["nextUpdate"] = .string(nextUpdate)
        payload["entries"] = .array(entries)
        return payload
    }

    // MARK: Signing

    package func header(_ path: [[UInt8]]) -> JSONObject {
        var header = JSONObject()
        header["alg"] = "ES256"
        header["typ"] = "JWT"
        header["x5c"] = .array(path.map { .string(Data($0).base64EncodedString()) })
        return header
    }

    package var path: [[UInt8]] {
        get throws { [try signer.der, try authority.intermediate.der] }
    }

    package func blob(
        _ payload: JSONObject = payload(), header changed: (inout JSONObject) -> Void = { _ in }
    ) throws -> [UInt8] {
        var header = header(try path)
        changed(&header)
        return try sign(header.bytes, payload.bytes)
    }

    package func sign(_ header: [UInt8], _ payload: [UInt8]) throws -> [UInt8] {
        var text = Base64URL.encodeBytes(header) + [UInt8(ascii: ".")]
        text += Base64URL.encodeBytes(payload)
        let signature = try signer.key.signature(for: text).rawRepresentation
        return text + [UInt8(ascii: ".")] + Base64URL.encodeBytes(signature)
    }

    // MARK: Revocation

    /// A revocation list by `issuer`.
    ///
    /// - Parameter revokingContent: serial numbers as the content of their INTEGER, negative ones too.
    package static func list(
        by issuer: AttestationAuthority.Issued, revoking serials: [[UInt8]] = [],
        revokingContent: [[UInt8]] = [], nextUpdate: Int = 2030, critical: Bool = false
    ) throws -> [UInt8] {
        let content = try content(
            issuer,
            serials.map { DERWriter.integer($0) }
                + revokingContent.map { DERWriter.element(0x02, $0) }, nextUpdate, critical)
        let signature = try issuer.key.signature(for: content).derRepresentation
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { list in
            list.serializeRawBytes(content)
            try algorithm(&list)
            try list.serialize(ASN1BitString(bytes: ArraySlice(signature)))
        }
        return serializer.serializedBytes
    }

    private static func algorithm(_ serializer: inout DER.Serializer) throws {
        try serializer.appendConstructedNode(identifier: .sequence) {
            try $0.serialize([1, 2, 840, 10045, 4, 3, 2] as ASN1ObjectIdentifier)
        }
    }

    private static func time(_ year: Int) throws -> GeneralizedTime {
        try GeneralizedTime(
            year: year, month: 1, day: 1, hours: 0, minutes: 0, seconds: 0, fractionalSeconds: 0)
    }

    private static func content(
        _ issuer: AttestationAuthority.Issued, _ serials: [[UInt8]], _ nextUpdate: Int,
        _ critical: Bool
    ) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { list in
            try list.serialize(1)
            try algorithm(&list)
            try list.serialize(issuer.certificate.subject)
            try list.serialize(try time(2024))
            try list.serialize(try time(nextUpdate))
            if !serials.isEmpty {
                try list.appendConstructedNode(identifier: .sequence) { revoked in
                    for serial in serials {
                        try revoked.appendConstructedNode(identifier: .sequence) { entry in
                            entry.serializeRawBytes(serial)
                            try entry.serialize(try time(2025))
                        }
                    }
                }
            }
            if critical { try criticalExtension(&list) }
        }
        return serializer.serializedBytes
    }

    private static func criticalExtension(_ list: inout DER.Serializer) throws {
        try list.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { tagged in
            try tagged.appendConstructedNode(identifier: .sequence) { extensions in
                try extensions.appendConstructedNode(identifier: .sequence) { item in
                    // issuingDistributionPoint
                    try item.serialize([2, 5, 29, 28] as ASN1ObjectIdentifier)
                    try item.serialize(true)
                    try item.serialize(ASN1OctetString(contentBytes: [0x30, 0]))
                }
            }
        }
    }
}
