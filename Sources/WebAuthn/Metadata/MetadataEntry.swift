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
    package let fault: MetadataParseError?

    private static let maximumReports = 256
    private static let maximumKeyIdentifiers = 256

    package init(_ json: JSONObject) {
        var fault: MetadataParseError?
        func attempt<Value>(
            _ fallback: Value, _ read: () throws(MetadataParseError) -> Value
        ) -> Value {
            do { return try read() } catch {
                fault = fault ?? error
                return fallback
            }
        }
        models = attempt([]) { () throws(MetadataParseError) in try Self.models(json) }
        statusReports = attempt([]) { () throws(MetadataParseError) in try Self.reports(json) }
        statement = attempt(nil) { () throws(MetadataParseError) in try Self.statement(json) }
        self.fault = fault
    }

    /// Creates an entry from a statement that the operator supplied, for example from the
    /// manufacturer of the keys. Such a model has no known status.
    package init(statement json: JSONObject) throws(MetadataParseError) {
        models = try Self.models(json)
        statement = try MetadataStatement(json)
        statusReports = []
        fault = nil
    }

    private static func models(
        _ json: JSONObject
    ) throws(MetadataParseError) -> [AuthenticatorModel] {
        if let member = json["aaguid"] {
            guard let aaguid = member.string.flatMap({ AAGUID($0) }) else {
                throw MetadataParseError("aaguid")
            }
            if !aaguid.isZero { return [.aaguid(aaguid)] }
        }
        guard let member = json["attestationCertificateKeyIdentifiers"] else { return [] }
        guard let texts = member.strings, texts.count <= maximumKeyIdentifiers else {
            throw MetadataParseError("attestationCertificateKeyIdentifiers")
        }
        var models: [AuthenticatorModel] = []
        for text in texts {
            guard let bytes = Hexadecimal.decode(text), bytes.count == 20 else {
                throw MetadataParseError("attestationCertificateKeyIdentifiers")
            }
            models.append(.certificateKey(identifier: bytes))
        }
        return models
    }

    private static func statement(
        _ json: JSONObject
    ) throws(MetadataParseError) -> MetadataStatement? {
        guard let member = json["metadataStatement"] else { return nil }
        guard let object = member.object else { throw MetadataParseError("metadataStatement") }
        return try MetadataStatement(object)
    }

    private static func reports(_ json: JSONObject) throws(MetadataParseError) -> [StatusReport] {
        guard let items = json["statusReports"]?.array, items.count <= maximumReports else {
            throw MetadataParseError("statusReports")
        }
        var reports: [StatusReport] = []
        for item in items { reports.append(try report(item)) }
        return reports
    }

    private static func report(_ json: JSONValue) throws(MetadataParseError) -> StatusReport {
        guard let status = json["status"]?.string else { throw MetadataParseError("status") }
        var report = StatusReport(status: AuthenticatorStatus(name: status))
        if let member = json["effectiveDate"] {
            guard let day = member.string.flatMap({ Timestamp(day: $0) }) else {
                throw MetadataParseError("effectiveDate")
            }
            report.effectiveFrom = day
        }
        if let member = json["certificate"] {
            guard let text = member.string,
                let der = Base64.decode(text, skippingWhitespace: true), !der.isEmpty
            else { throw MetadataParseError("certificate") }
            report.certificate = der
        }
        report.authenticatorVersion =
            json["authenticatorVersion"]?.integer.flatMap { UInt32(exactly: $0) }
        report.certificationDescriptor = json["certificationDescriptor"]?.string
        report.certificateNumber = json["certificateNumber"]?.string
        return report
    }
}

extension Timestamp {
    /// The start of a day in UTC, from `2026-11-21` (ISO 8601, as metadata write dates).
    init?(day: String) {
        guard day.utf8.count == 10 else { return nil }
        self.init(rfc3339: "\(day)T00:00:00Z")
    }
}
