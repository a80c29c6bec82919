// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Compares what is with what is wanted. Pure: reads no store, no clock and no secret but by hash.
enum StateDifference {
    /// - Parameter secrets: sealed ones of `registration` that are new.
    static func project(
        from old: Project?, to wanted: DesiredProject, new: Project,
        secrets: [RegistrationSecrets.Name: String] = [:]
    ) -> StateStep {
        var record = old ?? new
        RecordField.apply(wanted.members, to: &record, fields: ProjectFields.project)
        if let theme = wanted.theme {
            record.theme = Theme()
            RecordField.apply(theme, to: &record.theme, fields: ProjectFields.theme)
        }
        if let policy = wanted.policy {
            let kept = record.policy
            record.policy = ProjectPolicy()
            record.policy.webauthn = kept.webauthn
            record.policy.associatedApps = kept.associatedApps
            record.policy.registration = kept.registration
            record.policy.platformSSO = kept.platformSSO
            RecordField.apply(policy, to: &record.policy, fields: ProjectFields.policy)
        }
        if let webauthn = wanted.webauthn {
            record.policy.webauthn = WebAuthnPolicy()
            RecordField.apply(
                webauthn, to: &record.policy.webauthn, fields: WebAuthnFields.policy)
        }
        if let apps = wanted.associatedApps {
            record.policy.associatedApps = AssociatedApps()
            RecordField.apply(
                apps, to: &record.policy.associatedApps, fields: AssociatedAppFields.apps)
        }
        if let registration = wanted.registration {
            let kept = record.policy.registration.secrets
            record.policy.registration = RegistrationPolicy()
            record.policy.registration.secrets = kept
            RecordField.apply(
                registration, to: &record.policy.registration, fields: RegistrationFields.policy)
        }
        if let platformSSO = wanted.platformSSO {
            record.policy.platformSSO = PlatformSSOPolicy()
            RecordField.apply(
                platformSSO, to: &record.policy.platformSSO, fields: PlatformSSOFields.policy)
        }
        for (name, sealed) in secrets {
            record.policy.registration.secrets[name.rawValue] = sealed
        }
        let before = old ?? .blank
        var fields = RecordField.differences(ProjectFields.project, from: before, to: record)
        fields += prefixed(
            "theme.",
            RecordField.differences(ProjectFields.theme, from: before.theme, to: record.theme))
        fields += prefixed(
            "policy.",
            RecordField.differences(ProjectFields.policy, from: before.policy, to: record.policy))
        fields += prefixed(
            "webauthn.",
            RecordField.differences(
                WebAuthnFields.policy, from: before.policy.webauthn, to: record.policy.webauthn))
        fields += prefixed(
            "associated_apps.",
            RecordField.differences(
                AssociatedAppFields.apps, from: before.policy.associatedApps,
                to: record.policy.associatedApps))
        fields += prefixed(
            "registration.",
            RecordField.differences(
                RegistrationFields.policy, from: before.policy.registration,
                to: record.policy.registration))
        fields += secrets.keys.map { StateChange.Field(name: "registration.\($0.rawValue)") }
            .sorted { $0.name < $1.name }
        fields += prefixed(
            "platform_sso.",
            RecordField.differences(
                PlatformSSOFields.policy, from: before.policy.platformSSO,
                to: record.policy.platformSSO))
        let change = change(
            .project, exists: old != nil, project: wanted.name, name: wanted.name, fields)
        return StateStep(change: change, write: change.writes ? .project(record) : .none)
    }

    /// - Parameters:
    ///   - new: identifier, project and moment for a client that does not exist yet.
    ///   - secretHash: of the wanted secret, when the document has one.
    static func client(
        from old: Client?, to wanted: DesiredClient, new: Client, secretHash: [UInt8]?,
        in project: String
    ) -> Result<StateStep, StateProblem> {
        var record = old ?? new
        record.metadata = ClientMetadata()
        record.disabled = false
        RecordField.apply(wanted.members, to: &record, fields: ClientFields.client)
        var fields = RecordField.differences(ClientFields.client, from: old ?? .blank, to: record)
        if let secretHash, !ConstantTime.equal(secretHash, old?.secretHash ?? []) {
            record.secretHash = secretHash
            fields.append(StateChange.Field(name: "client_secret"))
        }
        let usesSecret = record.metadata.tokenEndpointAuthMethod.hasPrefix("client_secret_")
        if usesSecret, record.secretHash == nil {
            return .failure(
                StateProblem(
                    path: wanted.clientID,
                    message: "has no secret; give client_secret, client_secret_file or "
                        + "client_secret_env, or token_endpoint_auth_method: none"))
        }
        if !usesSecret { record.secretHash = nil }
        let change = change(
            .client, exists: old != nil, project: project, name: wanted.clientID, fields)
        return .success(StateStep(change: change, write: change.writes ? .client(record) : .none))
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
        return StateStep(change: change, write: change.writes ? .issuerKey(record) : .none)
    }

    /// - Parameter passwordMatches: whether the wanted password is the one that is set.
    static func person(
        from old: Person?, to wanted: DesiredPerson, new: Person, passwordMatches: Bool,
        in project: String, now: Timestamp
    ) -> StateStep {
        var record = old ?? new
        RecordField.apply(wanted.members, to: &record, fields: PersonFields.person)
        var fields = RecordField.differences(PersonFields.person, from: old ?? .blank, to: record)
        if record.claims != old?.claims { record.claims.updatedAt = now.seconds }
        let password = passwordMatches ? nil : wanted.password
        if password != nil { fields.append(StateChange.Field(name: "password")) }
        let change = change(
            .person, exists: old != nil, project: project, name: wanted.username, fields)
        guard change.writes else { return StateStep(change: change) }
        return StateStep(
            change: change,
            write: old == nil
                ? .createPerson(record, password: password)
                : .updatePerson(record, password: password))
    }

    static func change(
        _ kind: StateChange.Kind, exists: Bool, project: String, name: String,
        _ fields: [StateChange.Field]
    ) -> StateChange {
        StateChange(
            kind: kind, action: exists ? (fields.isEmpty ? .unchanged : .update) : .create,
            project: project, name: name, fields: fields)
    }

    private static func prefixed(
        _ prefix: String, _ fields: [StateChange.Field]
    ) -> [StateChange.Field] {
        fields.map { StateChange.Field(name: prefix + $0.name, from: $0.from, to: $0.to) }
    }
}

extension StateChange {
    var writes: Bool { action != .unchanged }
}

extension StateProblem: Error {}
