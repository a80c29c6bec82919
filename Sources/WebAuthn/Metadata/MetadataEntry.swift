// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// One model in a metadata BLOB: `MetadataBLOBPayloadEntry` (FIDO Metadata Service 3.1.1 section
/// 3.1.1).
package struct MetadataEntry: Sendable {
    /// The names under which the model is found; empty for what is neither FIDO2 nor U2F.
    package let models: [AuthenticatorModel]
    /// `nil` when there is none, or when it cannot be read: see ``fault``.
    package let statement: MetadataStatement?
    package let statusReports: [StatusReport]
    /// The part that could not be read. Published metadata contain errors. An error must not remove
    /// other models and must not make its own model look better.
    package let fault: JSONMemberError?

    private static let maximumReports = 256
    private static let maximumKeyIdentifiers = 256

    package init(_ json: JSONObject) {
        var fault: JSONMemberError?
        func attempt<Value>(
            _ fallback: Value, _ read: () throws(JSONMemberError) -> Value
        ) -> Value {
            do { return try read() } catch {
                fault = fault ?? error
                return fallback
            }
        }
        let reader = JSONReader(json) { $0 }
        models = attempt([]) { () throws(JSONMemberError) in try Self.models(reader) }
        statusReports = attempt([]) { () throws(JSONMemberError) in
            try reader.objects("statusReports", atMost: Self.maximumReports).map(Self.report)
        }
        statement = attempt(nil) { () throws(JSONMemberError) in
            try reader.optionalObject("metadataStatement").map(MetadataStatement.init)
        }
        self.fault = fault
    }

    /// Creates an entry from a statement that the operator supplied, for example from the
    /// manufacturer of the keys. Such a model has no known status.
    package init(statement json: JSONObject) throws(JSONMemberError) {
        let reader = JSONReader(json) { $0 }
        models = try Self.models(reader)
        statement = try MetadataStatement(reader)
        statusReports = []
        fault = nil
    }

    private static func models(
        _ reader: JSONReader<JSONMemberError>
    ) throws(JSONMemberError) -> [AuthenticatorModel] {
        let aaguid = try reader.optional(
            "aaguid", JSONForm<String>.string.map("an AAGUID") { AAGUID($0) })
        if let aaguid, !aaguid.isZero { return [.aaguid(aaguid)] }
        let identifier = JSONForm<String>.string.map("20 bytes in hexadecimal") { text in
            Hexadecimal.decode(text).flatMap { $0.count == 20 ? $0 : nil }
        }
        return try reader.optional(
            "attestationCertificateKeyIdentifiers",
            .list(of: identifier, atMost: maximumKeyIdentifiers))?
            .map { .certificateKey(identifier: $0) } ?? []
    }

    private static func report(
        _ reader: JSONReader<JSONMemberError>
    ) throws(JSONMemberError) -> StatusReport {
        let json = reader.object
        let status = try reader.required("status", .string)
        var report = StatusReport(status: AuthenticatorStatus(name: status))
        report.effectiveFrom = try reader.optional("effectiveDate", .day)
        report.certificate = try reader.optional("certificate", .certificate(1...Int.max))
        report.authenticatorVersion =
            json["authenticatorVersion"]?.integer.flatMap { UInt32(exactly: $0) }
        report.certificationDescriptor = json["certificationDescriptor"]?.string
        report.certificateNumber = json["certificateNumber"]?.string
        return report
    }
}

extension JSONForm<Timestamp> {
    /// The start of a day in UTC.
    static var day: JSONForm {
        JSONForm<String>.string.map("a day such as 2026-11-21") { Timestamp(day: $0) }
    }
}

extension Timestamp {
    /// The start of a day in UTC, from `2026-11-21` (ISO 8601, as metadata write dates).
    init?(day: String) {
        guard day.utf8.count == 10 else { return nil }
        self.init(rfc3339: "\(day)T00:00:00Z")
    }
}
