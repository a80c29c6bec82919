// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderInstallations
import ProviderSettings
import ProviderTokens
import Storage

/// Compares the current and the desired state. It is pure: it does not access the store, the clock
/// or secrets; secrets are compared by hash.
enum StateDifference {
    /// - Parameter secrets: the new sealed secrets of `registration`.
    static func project(
        from old: Project?, to wanted: DesiredProject, new: Project,
        secrets: [RegistrationSecrets.Name: String] = [:]
    ) -> StateStep {
        var record = old ?? new
        RecordField.apply(wanted.members, to: &record, fields: ProjectFields.project)
        for section in ProjectSection.all {
            if let members = wanted.sections[section.name] { section.apply(members, &record) }
        }
        for (name, sealed) in secrets {
            record.policy.registration.secrets[name.rawValue] = sealed
        }
        let before = old ?? .blank
        let fields =
            RecordField.differences(ProjectFields.project, from: before, to: record)
            + ProjectSection.differences(from: before, to: record)
            + secrets.keys.map(\.rawValue).sorted()
            .map { StateChange.Field(name: "registration.\($0)") }
        let change = change(
            .project, exists: old != nil, project: wanted.name, name: wanted.name, fields)
        return StateStep(
            change: change, write: change.writes ? .project(record, over: old) : .none,
            impersonating: ProjectSection.impersonating(from: before, to: record))
    }

    /// - Parameters:
    ///   - new: identifier, project and creation time of a client that does not exist yet.
    ///   - secretHash: the hash of the secret, if the document has one.
    static func client(
        from old: Client?, to wanted: DesiredClient, new: Client, secretHash: [UInt8]?,
        in project: String
    ) -> Result<StateStep, LocatedValidationIssue> {
        var record = old ?? new
        record.metadata = ClientMetadata()
        record.disabled = false
        RecordField.apply(wanted.members, to: &record, fields: ClientFields.client)
        var fields = RecordField.differences(ClientFields.client, from: old ?? .blank, to: record)
        var impersonating = RecordField.impersonating(
            ClientFields.client, from: old ?? .blank, to: record)
        if let secretHash, !ConstantTime.equal(secretHash, old?.secretHash ?? []) {
            record.secretHash = secretHash
            impersonating.append("client_secret")
            fields.append(StateChange.Field(name: "client_secret"))
        }
        let usesSecret = record.metadata.tokenEndpointAuthMethod.hasPrefix("client_secret_")
        if usesSecret, record.secretHash == nil {
            return .failure(
                LocatedValidationIssue(
                    path: wanted.clientID, ValidationIssue(.clientSecretMissing)))
        }
        if !usesSecret { record.secretHash = nil }
        let change = change(
            .client, exists: old != nil, project: project, name: wanted.clientID, fields)
        if old?.reachesAccounts != true, !record.reachesAccounts { impersonating = [] }
        return .success(
            StateStep(
                change: change, write: change.writes ? .client(record, over: old) : .none,
                impersonating: impersonating))
    }

    static func issuerKey(
        from old: IssuerKey?, to wanted: DesiredIssuerKey, new: IssuerKey, in project: String
    ) -> StateStep {
        var record = old ?? new
        record.settings = IssuerKeySettings()
        RecordField.apply(wanted.members, to: &record, fields: IssuerKeyFields.key)
        let fields = RecordField.differences(
            IssuerKeyFields.key, from: old ?? .blank, to: record)
        let change = change(
            .issuerKey, exists: old != nil, project: project, name: wanted.name, fields)
        return StateStep(
            change: change, write: change.writes ? .issuerKey(record, over: old) : .none,
            impersonating: RecordField.impersonating(
                IssuerKeyFields.key, from: old ?? .blank, to: record))
    }

    /// - Parameter passwordMatches: whether the current password is unchanged.
    static func person(
        from old: Person?, to wanted: DesiredPerson, new: Person, passwordMatches: Bool,
        in project: String, now: Timestamp
    ) -> StateStep {
        var record = old ?? new
        RecordField.apply(wanted.members, to: &record, fields: PersonFields.person)
        var fields = RecordField.differences(PersonFields.person, from: old ?? .blank, to: record)
        if record.claims != old?.claims { record.claims.updatedAt = now.seconds }
        let password = passwordMatches ? nil : wanted.password
        if let password {
            fields.append(StateChange.Field(name: "password"))
            if password.mustChange {
                fields.append(StateChange.Field(name: "password_must_change"))
            }
        }
        let change = change(
            .person, exists: old != nil, project: project, name: shown(wanted.username), fields)
        guard change.writes else { return StateStep(change: change) }
        guard let old else {
            return StateStep(change: change, write: .createPerson(record, password: password))
        }
        let edit = FieldEdit(
            PersonFields.person, marks: PersonFields.marks, from: old, to: record)
        return StateStep(change: change, write: .updatePerson(edit, password: password))
    }

    /// The name for display. The qualified name of a person with a realm contains an invisible
    /// character.
    private static func shown(_ qualifiedName: String) -> String {
        let (name, realm) = Person.parts(of: qualifiedName)
        return realm.isEmpty ? name : "\(name) (\(realm))"
    }

    static func change(
        _ kind: StateChange.Kind, exists: Bool, project: String, name: String,
        _ fields: [StateChange.Field]
    ) -> StateChange {
        StateChange(
            kind: kind, action: exists ? (fields.isEmpty ? .unchanged : .update) : .create,
            project: project, name: name, fields: fields)
    }
}

extension StateChange {
    var writes: Bool { action != .unchanged }
}

extension LocatedValidationIssue: Error {}
