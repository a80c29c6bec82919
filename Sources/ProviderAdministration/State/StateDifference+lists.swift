// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderInstallations
import ProviderSettings
import ProviderUpstream
import Storage

/// Entitlements and upstream providers: each is replaced as a whole by its entry.
extension StateDifference {
    static func entitlementSet(
        from old: EntitlementSet?, to wanted: DesiredEntry, new: EntitlementSet, in project: String
    ) -> StateStep {
        var record = old ?? new
        RecordField.apply(wanted.members, to: &record, fields: EntitlementFields.set)
        let fields = RecordField.differences(
            EntitlementFields.set, from: old ?? new, to: record)
        let change = change(
            .entitlementSet, exists: old != nil, project: project, name: wanted.name, fields)
        return StateStep(
            change: change, write: change.writes ? .entitlementSet(record, over: old) : .none)
    }

    /// - Parameter sets: the names of the sets after the change.
    static func entitlementSequence(
        from old: EntitlementSequence?, to wanted: DesiredEntry, new: EntitlementSequence,
        sets: Set<String>, in project: String
    ) -> Result<StateStep, LocatedValidationIssue> {
        var record = old ?? new
        RecordField.apply(wanted.members, to: &record, fields: EntitlementFields.sequence)
        if let unknown = record.steps.first(where: { !sets.contains($0.set) }) {
            return .failure(
                LocatedValidationIssue(
                    path: wanted.name,
                    ValidationIssue(.setNotThere, ["name": .text(unknown.set)])))
        }
        let fields = RecordField.differences(
            EntitlementFields.sequence, from: old ?? new, to: record)
        let change = change(
            .entitlementSequence, exists: old != nil, project: project, name: wanted.name, fields)
        return .success(
            StateStep(
                change: change,
                write: change.writes ? .entitlementSequence(record, over: old) : .none))
    }

    /// - Parameters:
    ///   - secretIsSame: whether the secret in the document equals the stored one.
    ///   - sealed: the sealed secret, if the document has one.
    static func upstreamProvider(
        from old: UpstreamProvider?, to wanted: DesiredUpstreamProvider, new: UpstreamProvider,
        secretIsSame: Bool, sealed: [UInt8]?, in project: String
    ) -> Result<StateStep, LocatedValidationIssue> {
        if let old, old.kind != wanted.kind {
            return .failure(
                LocatedValidationIssue(
                    path: wanted.identifier,
                    ValidationIssue(.kindStays, ["kind": .text(old.kind.rawValue)])))
        }
        var record = old ?? new
        record.isEnabled = true
        record.settings = UpstreamSettings()
        RecordField.apply(wanted.members, to: &record, fields: UpstreamFields.provider)
        var fields = RecordField.differences(
            UpstreamFields.provider, from: old ?? .blank, to: record)
        var impersonating = RecordField.impersonating(
            UpstreamFields.provider, from: old ?? .blank, to: record)
        if let sealed, !secretIsSame {
            record.sealedSecret = sealed
            impersonating.append("client_secret")
            fields.append(StateChange.Field(name: "client_secret"))
        }
        let usesSecret = record.settings.authenticationMethod.hasPrefix("client_secret_")
        if usesSecret, record.sealedSecret == nil {
            return .failure(
                LocatedValidationIssue(
                    path: wanted.identifier, ValidationIssue(.providerSecretMissing)))
        }
        if !usesSecret { record.sealedSecret = nil }
        let change = change(
            .upstreamProvider, exists: old != nil, project: project, name: wanted.identifier,
            fields)
        return .success(
            StateStep(
                change: change, write: change.writes ? .upstreamProvider(record, over: old) : .none,
                impersonating: impersonating))
    }
}
