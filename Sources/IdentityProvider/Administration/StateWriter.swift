// SPDX-License-Identifier: Apache-2.0
import JOSE
import PasswordHashing
import Primitives
import Storage

/// Writes one step and leaves its audit event.
struct StateWriter {
    private let provider: Provider
    private let facts: RequestFacts

    init(_ provider: Provider, facts: RequestFacts) {
        self.provider = provider
        self.facts = facts
    }

    /// `nil` when it is done; otherwise why somebody else's change stood in the way.
    func write(_ step: StateStep) async throws -> StateProblem? {
        let project: Identifier<Project>
        let done: Bool
        switch step.write {
        case .none: return nil
        case .project(let record):
            project = record.id
            done = try await provider.store.save(record)
            provider.tenants.invalidate()
        case .client(let record):
            project = record.project
            done = try await provider.store.save(record, now: facts.now)
            provider.clients.invalidate()
        case .issuerKey(let record):
            project = record.project
            done = try await provider.store.save(record)
            provider.issuerKeys.invalidate()
        case .entitlementSet(let record):
            project = record.project
            try await provider.store.save(record)
            done = true
        case .entitlementSequence(let record):
            project = record.project
            done = try await provider.store.save(record)
        case .upstreamProvider(let record):
            project = record.project
            done = try await provider.store.save(record, now: facts.now)
            provider.upstream.invalidate()
        case .administrator(let role): return try await assign(role, step.change)
        case .createPerson(let record, let password):
            project = record.project
            done = try await create(record, password: password)
        case .updatePerson(let record, let password):
            project = record.project
            done = try await update(record, password: password)
        }
        try await audit(step.change, in: project, done: done)
        return done
            ? nil
            : StateProblem(
                path: step.change.name, StateComplaint(.changedMeanwhile))
    }

    /// The event of it is that of the console.
    private func assign(
        _ administrator: Administrator, _ change: StateChange
    ) async throws -> StateProblem? {
        let store = provider.store
        guard let person = try await store.person(administrator.person) else {
            return StateProblem(path: change.name, StateComplaint(.gone))
        }
        var project: Project?
        if let id = administrator.project { project = try await store.project(id) }
        guard (project == nil) == (administrator.project == nil) else {
            return StateProblem(path: change.project, StateComplaint(.gone))
        }
        let roles = AdministratorRoles(provider, home: person.project, facts: facts)
        switch try await roles.grant(administrator.role, to: person, in: project) {
        case .success: return nil
        case .failure(let refusal):
            return StateProblem(path: change.name, .verbatim(refusal.message))
        }
    }

    private func create(_ person: Person, password: Secret?) async throws -> Bool {
        var credentials: [Credential] = []
        if let password { credentials.append(try await credential(password, of: person)) }
        return try await provider.store.create(person, with: credentials) == .created
    }

    /// A new password ends the person's sessions: whoever had the old one is out.
    private func update(_ person: Person, password: Secret?) async throws -> Bool {
        guard try await provider.store.update(person, now: facts.now) else { return false }
        if let password {
            try await provider.store.setPassword(
                try await credential(password, of: person), keeping: nil, now: facts.now)
        }
        return true
    }

    private func credential(_ secret: Secret, of person: Person) async throws -> Credential {
        guard let password = Password(secret) else { throw PasswordHashingError.malformedHash }
        let phc = try await provider.passwords.hash(password)
        return Credential(
            id: Identifier(now: facts.now, random: provider.random), project: person.project,
            person: person.id, kind: .password, externalID: person.id.bytes,
            publicPart: Array(phc.utf8), createdAt: facts.now)
    }

    private func audit(
        _ change: StateChange, in project: Identifier<Project>, done: Bool
    ) async throws {
        let fields: JSONValue = .array(change.fields.map { .string($0.name) })
        let details: JSONValue = ["name": .string(change.name), "fields": fields]
        try await provider.audit.record(
            AuditDraft(
                "admin.\(change.kind.rawValue).\(change.action.rawValue)", in: project,
                facts: facts, code: done ? nil : "conflict",
                clientID: change.kind == .client ? change.name : nil, details: details.text))
    }
}
