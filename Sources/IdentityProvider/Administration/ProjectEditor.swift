// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
package import Storage
import Synchronization

/// Changes one part of a project's rules, and leaves the audit event of it.
package struct ProjectEditor: Sendable {
    private let provider: Provider
    private let project: Project
    private let facts: RequestMetadata
    /// Of who edits; `nil` for the operator, who may all.
    private let rights: AdministratorRights?

    package init(
        _ provider: Provider, project: Project, rights: AdministratorRights?, facts: RequestMetadata
    ) {
        self.rights = rights
        self.provider = provider
        self.project = project
        self.facts = facts
    }

    package enum Outcome: Sendable {
        case done(StateChange)
        case refused(StateDocumentError)
        /// The project, or the entry that was to go, is not there.
        case unknown
        /// The entry that was to be made is there, and stays as it is.
        case exists
        /// The entry is not what it was to take the place of.
        case changedSince
    }

    /// - Parameter secrets: of vendors, by their names; kept sealed, and never shown.
    package func put(
        _ value: JSONValue, as part: ProjectSettingsGroup, secrets: [String: Secret] = [:]
    ) async throws -> Outcome {
        let sealed: [String: String]
        switch try seal(secrets) {
        case .success(let texts): sealed = texts
        case .failure(let refusal): return .refused(refusal)
        }
        return try await change(in: part.name, also: sealed.keys.sorted()) { project in
            if let problem = part.write(value, &project) { return .wrong(problem) }
            project.policy.registration.secrets.merge(sealed) { $1 }
            return nil
        }
    }

    /// - Parameters:
    ///   - onlyNew: whether one that is there stays as it is.
    ///   - earlier: what it takes the place of; `nil` for whatever is there.
    package func put(
        _ entry: JSONObject, named name: String, in list: ProjectList, onlyNew: Bool = false,
        over earlier: JSONObject? = nil
    ) async throws -> Outcome {
        try await change(in: "\(list.name).\(name)") { project in
            let there = list.entry(name, of: project)
            guard !onlyNew || there == nil else { return .exists }
            guard earlier == nil || there == earlier else { return .changedSince }
            return list.put(name, entry, &project).map(Objection.wrong)
        }
    }

    package func remove(_ name: String, from list: ProjectList) async throws -> Outcome {
        try await change(in: list.name) { list.remove(name, &$0) ? nil : .unknown }
    }

    /// Why an edit is not kept.
    private enum Objection: Sendable {
        /// The entry is not there.
        case unknown
        case exists, changedSince
        case wrong(LocatedValidationIssue)
    }

    /// - Parameter place: where what is edited stands; complaints name keys below it.
    private func change(
        in place: String, also secrets: [String] = [],
        _ edit: @escaping @Sendable (inout Project) -> Objection?
    ) async throws -> Outcome {
        // What an edit changes is known when it has been made; perhaps it is made once more.
        let made = Mutex<AuditEventDraft?>(nil)
        let (editor, audit) = (self, provider.audit)
        let event = TransactionalAuditEvent { made.withLock { $0 }.map(audit.prepare) }
        let outcome = try await provider.store.recording(event).change(project: project.id) {
            project in
            let old = project
            if let objection = Self.run(edit, on: &project) { return objection }
            if let problem = editor.complaint(from: old, to: project, in: place) {
                return .wrong(problem)
            }
            let change = Self.difference(from: old, to: project, secrets)
            made.withLock { $0 = change.writes ? editor.draft(change) : nil }
            return nil
        }
        switch outcome {
        case .unknown, .refused(.unknown): return .unknown
        // No part renames a project.
        case .refused(.exists), .taken, .lastOwner: return .exists
        case .refused(.changedSince): return .changedSince
        case .refused(.wrong(let problem)): return .refused(StateDocumentError([problem]))
        case .kept(let old, let new):
            provider.tenants.invalidate()
            if event.isWritten, let draft = made.withLock({ $0 }) { audit.wasRecorded(draft) }
            return .done(Self.difference(from: old, to: new, secrets))
        }
    }

    /// Only owners change settings that can enable impersonation of an owner.
    private func complaint(
        from old: Project, to new: Project, in place: String
    ) -> LocatedValidationIssue? {
        let keys = ProjectSection.impersonating(from: old, to: new).map { key in
            key.hasPrefix(place + ".") ? String(key.dropFirst(place.utf8.count + 1)) : key
        }
        return rights.complaint(about: keys, in: project.name)
    }

    private static func difference(
        from old: Project, to new: Project, _ secrets: [String]
    ) -> StateChange {
        StateDifference.change(
            .project, exists: true, project: old.name, name: old.name,
            ProjectSection.differences(from: old, to: new)
                + secrets.map { StateChange.Field(name: "registration.\($0)") })
    }

    /// With what holds across parts: a method that is offered keeps what it needs.
    private static func run(
        _ edit: @Sendable (inout Project) -> Objection?, on project: inout Project
    ) -> Objection? {
        if let objection = edit(&project) { return objection }
        return AttestedAppFields.complaint(project.policy.registration).map { key, complaint in
            .wrong(LocatedValidationIssue(path: "registration.\(key)", complaint))
        }
    }

    private func seal(
        _ secrets: [String: Secret]
    ) throws -> Result<[String: String], StateDocumentError> {
        let vault = RegistrationSecrets(of: project, in: provider)
        var sealed: [String: String] = [:]
        for (text, secret) in secrets {
            guard let name = RegistrationSecrets.Name(rawValue: text) else {
                return .failure(
                    StateDocumentError([
                        LocatedValidationIssue(path: text, ValidationIssue(.notSecretName))
                    ]))
            }
            if let complaint = AttestedAppFields.complaint(secret, as: name) {
                return .failure(StateDocumentError([LocatedValidationIssue(path: text, complaint)]))
            }
            sealed[text] = try vault.seal(secret, as: name)
        }
        return .success(sealed)
    }

    private func draft(_ change: StateChange) -> AuditEventDraft {
        let details: JSONValue = [
            "name": .string(change.name),
            "fields": .array(change.fields.map { .string($0.name) }),
        ]
        return AuditEventDraft(
            "admin.project.update", in: project.id, facts: facts, details: details.text)
    }
}

extension Project {
    /// Which secrets of vendors are kept: their names alone.
    package var keptSecrets: [String] { policy.registration.secrets.keys.sorted() }
}
