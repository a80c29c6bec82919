// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// One entry of a metadata BLOB, as `gatehouse inspect metadata` shows it.
struct MetadataEntryInspection {
    private let entry: MetadataEntry
    private let snapshot: MetadataSnapshot
    private let isRepeated: Bool

    /// - Parameter snapshot: The provider's data for the models.
    init(_ entry: MetadataEntry, _ snapshot: MetadataSnapshot, isRepeated: Bool) {
        self.entry = entry
        self.snapshot = snapshot
        self.isRepeated = isRepeated
    }

    /// `{"models","name","protocol","status","refused"?,"warnings"}`.
    var value: JSONValue {
        var value = JSONObject()
        value["models"] = .array(entry.models.map { .string(Self.name(of: $0)) })
        value["name"] = entry.statement.map { .string($0.name) }
        value["protocol"] = entry.statement.map { .string($0.protocolFamily) }
        value["status"] = .array(entry.statusReports.map { Self.shown($0) })
        value["refused"] = refusal.map { .string($0) }
        value["warnings"] = .array(warnings.map { .string($0) })
        return .object(value)
    }

    private static func name(of model: AuthenticatorModel) -> String {
        switch model {
        case .aaguid(let aaguid): aaguid.description
        case .certificateKey(let identifier): Hexadecimal.encode(identifier)
        }
    }

    private static func shown(_ report: StatusReport) -> JSONValue {
        var value = JSONObject()
        value["status"] = .string(report.status.name)
        value["from"] = report.effectiveFrom.map { .string(String($0.rfc3339.prefix(10))) }
        return .object(value)
    }

    /// The reason why the provider does not register such an authenticator if metadata are
    /// required.
    private var refusal: String? {
        entry.models.lazy.compactMap { snapshot.statement(for: $0)?.refusal }.first
    }

    private var warnings: [String] {
        var warnings: [String] = []
        if let fault = entry.fault { warnings.append("\(fault.member) is missing or malformed") }
        if entry.models.isEmpty { warnings.append("no AAGUID and no key identifier: not used") }
        if isRepeated { warnings.append("another entry has the same model") }
        for case .unknown(let name) in entry.statusReports.map(\.status) {
            warnings.append("the status \(name) is not known")
        }
        if entry.statusReports.contains(where: { !$0.isInForce(at: snapshot.now) }) {
            warnings.append("a status report is not in force yet")
        }
        return warnings + (entry.statement.map { statementWarnings($0) } ?? [])
    }

    private func statementWarnings(_ statement: MetadataStatement) -> [String] {
        var warnings: [String] = []
        let roots = statement.attestationRootCertificates.map {
            try? AttestationCertificate(der: $0)
        }
        let unreadable = roots.count { $0 == nil }
        if unreadable > 0 {
            warnings.append("root certificates that cannot be read: \(unreadable)")
        }
        let expired = roots.compactMap { $0 }.count {
            Timestamp(seconds: $0.period.to) < snapshot.now
        }
        if expired > 0 { warnings.append("root certificates that have expired: \(expired)") }
        if statement.acceptedAttestation.isEmpty {
            warnings.append("no attestation type that is verified here")
        }
        if statement.algorithms == nil {
            warnings.append("no list of algorithms, or one with a name that is not known")
        }
        return warnings
    }
}
