// SPDX-License-Identifier: Apache-2.0
import JOSE
import PasswordHashing
import Primitives
import ProviderCore
import ProviderInstallations
import ProviderPeople
import ProviderSettings
import ProviderTokens
import Storage

/// Writes one step and its audit event.
struct StateWriter {
    private let provider: Provider
    private let facts: RequestMetadata

    init(_ provider: Provider, facts: RequestMetadata) {
        self.provider = provider
        self.facts = facts
    }

    /// Writes the step. Returns an issue if a concurrent change prevented it, or `nil`.
    func write(_ step: StateStep) async throws -> LocatedValidationIssue? {
        let isDone: Bool
        switch step.write {
        case .none: return nil
        case .administrator(let role): return try await assign(role, step.change)
        case .project(let record, let old):
            isDone = try await recorded(step, record.id) {
                try await $0.projects.put(record, over: old)
            }
            provider.tenants.invalidate()
        case .client(let record, let old):
            isDone = try await recorded(step, record.project) {
                try await $0.clients.put(record, over: old, now: facts.now)
            }
            provider.clients.invalidate()
            if isDone { await provider.announceKeys(of: record) }
        case .issuerKey(let record, let old):
            isDone = try await recorded(step, record.project) {
                try await $0.issuerKeys.put(record, over: old)
            }
            provider.issuerKeys.invalidate()
        case .upstreamProvider(let record, let old):
            isDone = try await recorded(step, record.project) {
                try await $0.upstreamProviders.put(record, over: old, now: facts.now)
            }
            provider.upstream.invalidate()
        case .entitlementSet, .entitlementSequence, .createPerson, .updatePerson:
            isDone = try await writeUncached(step)
        }
        return isDone
            ? nil
            : LocatedValidationIssue(
                path: step.change.name, ValidationIssue(.changedMeanwhile))
    }

    /// Writes records that have no cache.
    private func writeUncached(_ step: StateStep) async throws -> Bool {
        switch step.write {
        case .entitlementSet(let record, let old):
            try await recorded(step, record.project) {
                try await $0.entitlements.put(record, over: old)
            }
        case .entitlementSequence(let record, let old):
            try await recorded(step, record.project) {
                try await $0.entitlements.put(record, over: old)
            }
        case .createPerson(let record, let password):
            try await recorded(step, record.project) {
                try await create(record, password: password, in: $0.people)
            }
        case .updatePerson(let edit, let password):
            try await recorded(step, edit.old.project) {
                try await update(edit, password: password, in: $0.people)
            }
        case .none, .administrator, .project, .client, .issuerKey, .upstreamProvider: true
        }
    }

    /// The audit event is that of the console.
    private func assign(
        _ administrator: Administrator, _ change: StateChange
    ) async throws -> LocatedValidationIssue? {
        let store = provider.store
        guard let person = try await store.people.person(administrator.person) else {
            return LocatedValidationIssue(path: change.name, ValidationIssue(.gone))
        }
        var project: Project?
        if let id = administrator.project { project = try await store.projects.project(id) }
        guard (project == nil) == (administrator.project == nil) else {
            return LocatedValidationIssue(path: change.project, ValidationIssue(.gone))
        }
        let roles = AdministratorRoles(provider, home: person.project, facts: facts)
        switch try await roles.grant(administrator.role, to: person, in: project) {
        case .success: return nil
        case .failure(let refusal):
            return LocatedValidationIssue(path: change.name, .verbatim(refusal.message))
        }
    }

    private func create(
        _ person: Person, password: NewPassword?, in people: any PersonStore
    ) async throws -> Bool {
        var credentials: [Credential] = []
        if let password { credentials.append(try await credential(password, of: person)) }
        return try await people.create(person, with: credentials) == .created
    }

    /// Updates a person. A new password ends their sessions, so that a person with the old one is
    /// signed out.
    private func update(
        _ edit: FieldEdit<Person>, password: NewPassword?, in people: any PersonStore
    ) async throws -> Bool {
        let (person, now) = (edit.old, facts.now)
        var credential: Credential?
        if let password { credential = try await self.credential(password, of: person) }
        return try await people.change(person: person.id, password: credential, now: now) {
            edit.apply(to: &$0, at: now)
        }.isKept
    }

    private func credential(_ new: NewPassword, of person: Person) async throws -> Credential {
        guard let password = Password(new.secret) else { throw PasswordHashingError.malformedHash }
        let phc = try await provider.passwords.hash(password)
        return Credential(
            id: Identifier(now: facts.now, random: provider.random), project: person.project,
            person: person.id, kind: .password, externalID: person.id.bytes,
            publicPart: Array(phc.utf8),
            details: PasswordDetails(mustChange: new.mustChange).json, createdAt: facts.now)
    }

    /// Writes a record with its audit event in one transaction. A conflict also causes an event.
    private func recorded(
        _ step: StateStep, _ project: Identifier<Project>,
        _ save: (any ProviderStore) async throws -> Bool
    ) async throws -> Bool {
        var draft = draft(step.change, in: project)
        let isDone = try await provider.recorded(draft, save)
        guard !isDone else { return true }
        draft.code = "conflict"
        try await provider.audit.record(draft)
        return false
    }

    private func draft(_ change: StateChange, in project: Identifier<Project>) -> AuditEventDraft {
        let fields: JSONValue = .array(change.fields.map { .string($0.name) })
        let details: JSONValue = ["name": .string(change.name), "fields": fields]
        return AuditEventDraft(
            "admin.\(change.kind.rawValue).\(change.action.rawValue)", in: project,
            facts: facts, clientID: change.kind == .client ? change.name : nil,
            details: details.text)
    }
}
