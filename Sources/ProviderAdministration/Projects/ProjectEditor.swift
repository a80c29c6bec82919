// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
package import ProviderCore
import ProviderInstallations
package import ProviderSettings
package import Storage
import Synchronization

/// Changes one part of a project's settings and records the audit event.
package struct ProjectEditor: Sendable {
    private let provider: Provider
    private let project: Project
    private let facts: RequestMetadata
    /// The rights of the administrator; `nil` for the operator, who has all.
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
        /// The project, or the entry to remove, does not exist.
        case unknown
        /// The entry to create exists already and is unchanged.
        case exists
        /// The entry was changed since it was read.
        case changedSince
    }

    /// - Parameter secrets: the secrets of vendors by name; they are sealed and never displayed.
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
    ///   - onlyNew: whether to leave an existing entry unchanged.
    ///   - earlier: the expected current entry; `nil` for any.
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

    /// The reason why an edit is not saved.
    private enum Objection: Sendable {
        /// The entry does not exist.
        case unknown
        case exists, changedSince
        case wrong(LocatedValidationIssue)
    }

    /// - Parameter place: the path of the edited part. The paths of issues are relative to it.
    private func change(
        in place: String, also secrets: [String] = [],
        _ edit: @escaping @Sendable (inout Project) -> Objection?
    ) async throws -> Outcome {
        // The difference is known after the edit. The edit may run more than once.
        let made = Mutex<AuditEventDraft?>(nil)
        let (editor, audit) = (self, provider.audit)
        let event = TransactionalAuditEvent { made.withLock { $0 }.map(audit.prepare) }
        let outcome = try await provider.store.recording(event).projects.change(project: project.id)
        {
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
        // No part changes the name of a project.
        case .refused(.exists), .taken, .lastOwner: return .exists
        case .refused(.changedSince): return .changedSince
        case .refused(.wrong(let problem)): return .refused(StateDocumentError([problem]))
        case .saved(let old, let new):
            provider.tenants.invalidate()
            if event.isWritten, let draft = made.withLock({ $0 }) { audit.wasRecorded(draft) }
            return .done(Self.difference(from: old, to: new, secrets))
        }
    }

    /// Only owners may change settings that can enable impersonation of an owner.
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

    /// Runs the edit and checks conditions across parts: an offered method must have its settings.
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
    /// The names of the stored secrets of vendors.
    package var storedSecretNames: [String] { policy.registration.secrets.keys.sorted() }
}
