// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives

/// Models of authenticators, by the names that their credentials carry.
package struct MetadataStore: Sendable {
    /// The number of the BLOB, or `nil` for statements that the operator supplied.
    package let number: Int64?
    /// When the next BLOB is due at the latest.
    package let nextUpdate: Timestamp?
    private let models: [AuthenticatorModel: Model]

    /// One model, prepared for lookup.
    struct Model: Sendable {
        var entry: MetadataEntry
        var anchors: TrustAnchors
        /// The reports of a second entry with the same identifier, which a correct publisher never
        /// writes.
        var furtherReports: [StatusReport] = []

        var reports: [StatusReport] { entry.statusReports + furtherReports }
    }

    package init(_ blob: MetadataBlob) {
        self.init(blob.entries, number: blob.number, nextUpdate: blob.nextUpdate)
    }

    /// Statements by hand; ``MetadataEntry/init(statement:)``.
    package init(_ entries: [MetadataEntry]) {
        self.init(entries, number: nil, nextUpdate: nil)
    }

    private init(_ entries: [MetadataEntry], number: Int64?, nextUpdate: Timestamp?) {
        self.number = number
        self.nextUpdate = nextUpdate
        var models: [AuthenticatorModel: Model] = [:]
        for entry in entries where !entry.models.isEmpty {
            let prepared = Model(entry: entry, anchors: Self.anchors(of: entry))
            for name in entry.models {
                if models[name] == nil {
                    models[name] = prepared
                } else {
                    models[name]?.furtherReports += entry.statusReports
                }
            }
        }
        self.models = models
    }

    /// Returns the readable anchors: an invalid certificate must not remove the others.
    private static func anchors(of entry: MetadataEntry) -> TrustAnchors {
        let certificates = entry.statement?.attestationRootCertificates ?? []
        if let all = try? TrustAnchors(der: certificates) { return all }
        let readable = certificates.filter { (try? TrustAnchors(der: [$0])) != nil }
        return (try? TrustAnchors(der: readable)) ?? .none
    }

    package var count: Int { models.count }

    /// The name and the picture of a model, for the account page.
    package func statement(for aaguid: AAGUID) -> MetadataStatement? {
        models[.aaguid(aaguid)]?.entry.statement
    }

    func model(_ name: AuthenticatorModel) -> Model? { models[name] }

    /// Returns the snapshot for one moment.
    package func snapshot(
        at now: Timestamp, policy: MetadataStatusPolicy = MetadataStatusPolicy(),
        staleAfter grace: TimeSpan? = nil
    ) -> MetadataSnapshot {
        MetadataSnapshot(store: self, now: now, policy: policy, grace: grace)
    }
}

/// The view of a ``MetadataStore`` at one moment under one policy.
package struct MetadataSnapshot: AttestationTrustSource {
    let store: MetadataStore
    let now: Timestamp
    let policy: MetadataStatusPolicy
    /// How long after `nextUpdate` the metadata are still used; `nil` means without limit.
    let grace: TimeSpan?
    /// Whether metadata are required.
    ///
    /// When they are expired, they then refuse every model that they contain. If they are not
    /// required, they add no trust but still report refusals.
    package var isDemanded = true

    package var isStale: Bool {
        guard let grace, let nextUpdate = store.nextUpdate else { return false }
        return now > nextUpdate + grace
    }

    package func statement(for model: AuthenticatorModel) -> AuthenticatorTrust? {
        guard let found = store.model(model) else { return nil }
        if isStale, !isDemanded { return warning(found) }
        var trust = AuthenticatorTrust(anchors: found.anchors)
        trust.distrustedCertificates = policy.distrusted(in: found.reports, at: now)
        trust.refusal = refusal(found)
        if let statement = found.entry.statement {
            trust.attestationTypes = statement.acceptedAttestation
            trust.algorithms = statement.algorithms
            trust.name = statement.name
        }
        return trust
    }

    private func warning(_ model: MetadataStore.Model) -> AuthenticatorTrust? {
        guard let reason = policy.refusal(for: model.reports, at: now) else { return nil }
        var trust = AuthenticatorTrust(anchors: .none)
        trust.refusal = reason
        return trust
    }

    private func refusal(_ model: MetadataStore.Model) -> String? {
        if isStale { return "the metadata are out of date" }
        if let fault = model.entry.fault { return "\(fault.member) of the entry is malformed" }
        if model.entry.statement == nil { return "the entry has no statement" }
        return policy.refusal(for: model.reports, at: now)
    }
}
