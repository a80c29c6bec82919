// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let stepColumns = "q.project_id, q.name, q.created_at, t.set_name, t.duration"
private let sequenceByName = """
    SELECT \(stepColumns) FROM entitlement_sequences q
    JOIN entitlement_steps t ON t.project_id = q.project_id AND t.sequence = q.name
    WHERE q.project_id = $1 AND q.name = $2 ORDER BY t.position
    """
private let sequencesOfProject = """
    SELECT \(stepColumns) FROM entitlement_sequences q
    JOIN entitlement_steps t ON t.project_id = q.project_id AND t.sequence = q.name
    WHERE q.project_id = $1 ORDER BY q.name, t.position LIMIT 50000
    """
private let sequenceUpsert = """
    INSERT INTO entitlement_sequences (project_id, name, created_at) VALUES ($1, $2, $3)
    ON CONFLICT (project_id, name) DO UPDATE SET created_at = entitlement_sequences.created_at
    """
private let sequenceAdd = """
    INSERT INTO entitlement_sequences (project_id, name, created_at) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING RETURNING name
    """
private let stepsDelete = "DELETE FROM entitlement_steps WHERE project_id = $1 AND sequence = $2"
private let stepInsert = """
    INSERT INTO entitlement_steps (project_id, sequence, position, set_name, duration)
    VALUES ($1, $2, $3, $4, $5)
    """
private let sequenceHold = """
    SELECT name FROM entitlement_sequences WHERE project_id = $1 AND name = $2
    """
private let sequenceDelete = """
    DELETE FROM entitlement_sequences WHERE project_id = $1 AND name = $2 AND NOT EXISTS (
    SELECT 1 FROM person_sequences p WHERE p.project_id = $1 AND p.sequence = $2) RETURNING name
    """
private let ofSomebody = """
    SELECT p.id, p.project_id, p.entitlement_set, s.entitlements, p.entitlements, q.sequence,
    q.started_at FROM people p
    LEFT JOIN entitlement_sets s ON s.project_id = p.project_id AND s.name = p.entitlement_set
    LEFT JOIN person_sequences q ON q.person_id = p.id
    """
private let ofPerson = "\(ofSomebody) WHERE p.id = $1"
private let ofPeople = "\(ofSomebody) WHERE p.id IN (\(PeopleBatch.parameters))"
private let stepsWithSets = """
    SELECT t.set_name, t.duration, s.entitlements FROM entitlement_steps t
    JOIN entitlement_sets s ON s.project_id = t.project_id AND s.name = t.set_name
    WHERE t.project_id = $1 AND t.sequence = $2 ORDER BY t.position
    """

extension SQLEntitlements {
    func entitlements(
        of person: Identifier<Person>, now: Timestamp
    ) async throws -> PersonalEntitlements? {
        try await entitlements(of: [person], now: now)[person]
    }

    func entitlements(
        of people: Set<Identifier<Person>>, now: Timestamp
    ) async throws -> [Identifier<Person>: PersonalEntitlements] {
        let wanted = Array(people)
        guard !wanted.isEmpty else { return [:] }
        return try await engine.read { connection in
            let given =
                try wanted.count == 1
                ? connection.query(ofPerson, wanted[0]).records(PersonEntitlementsRow.init)
                : connection.query(ofPeople, each: wanted).records(PersonEntitlementsRow.init)
            var sequences: [String: [GivenStep]] = [:]
            for case let (name, _)? in given.map(\.sequence) where sequences[name] == nil {
                sequences[name] = try connection.query(stepsWithSets, given[0].project, name)
                    .records(GivenStep.init)
            }
            return Dictionary(
                given.map { ($0.person, $0.now(in: sequences, now)) }
            ) { first, _ in first }
        }
    }

    func entitlementSequences(
        of project: Identifier<Project>
    ) async throws -> [EntitlementSequence] {
        try await all(StoredStep.init, sequencesOfProject, project).sequences
    }

    func entitlementSequence(
        named name: String, in project: Identifier<Project>
    ) async throws -> EntitlementSequence? {
        try await all(StoredStep.init, sequenceByName, project, name).sequences.first
    }

    func save(_ sequence: EntitlementSequence) async throws -> Bool {
        do {
            return try await engine.write { connection in
                _ = try connection.change(
                    sequenceUpsert, sequence.project, sequence.name, sequence.createdAt)
                _ = try connection.change(stepsDelete, sequence.project, sequence.name)
                try connection.write(stepsOf: sequence)
                return true
            }
        } catch let error as StorageError where error.code == .missingParent {
            return false
        }
    }

    func add(_ sequence: EntitlementSequence) async throws -> AddEntitlementsOutcome {
        do {
            return try await engine.write { connection in
                let added = try connection.change(
                    returning: sequenceAdd, sequence.project, sequence.name, sequence.createdAt)
                guard !added.isEmpty else { return .exists }
                try connection.write(stepsOf: sequence)
                return .added
            }
        } catch let error as StorageError where error.code == .missingParent {
            return .missingSet
        }
    }

    func save(
        _ sequence: EntitlementSequence, over earlier: [EntitlementSequence.Step]
    ) async throws -> AddEntitlementsOutcome {
        let hold = sequenceHold + dialect.forUpdate
        do {
            return try await engine.write { connection in
                _ = try connection.query(hold, sequence.project, sequence.name)
                let found = try connection.query(sequenceByName, sequence.project, sequence.name)
                    .records(StoredStep.init).sequences.first
                guard found?.steps == earlier else { return .exists }
                _ = try connection.change(stepsDelete, sequence.project, sequence.name)
                try connection.write(stepsOf: sequence)
                return .added
            }
        } catch let error as StorageError where error.code == .missingParent {
            return .missingSet
        }
    }

    func remove(
        entitlementSequence name: String, of project: Identifier<Project>
    ) async throws -> RemoveEntitlementSetOutcome {
        let hold = sequenceHold + dialect.forUpdate
        return try await engine.write { connection in
            // The lock comes first: a concurrent assignment is visible, or waits and does not find
            // the sequence.
            guard try connection.first(hold, project, name) != nil else { return .unknown }
            return try connection.change(returning: sequenceDelete, project, name).isEmpty
                ? .inUse : .removed
        }
    }
}

extension SQLConnection {
    fileprivate func write(stepsOf sequence: EntitlementSequence) throws {
        for (position, step) in sequence.steps.enumerated() {
            _ = try change(
                stepInsert, sequence.project, sequence.name, position, step.set, step.duration)
        }
    }
}

/// The stored assignment, before the position in a sequence is computed.
private struct PersonEntitlementsRow {
    let person: Identifier<Person>
    let project: Identifier<Project>
    let personal: PersonalEntitlements
    let sequence: (name: String, start: Timestamp)?

    /// Returns the effective entitlements at that moment.
    func now(in sequences: [String: [GivenStep]], _ now: Timestamp) -> PersonalEntitlements {
        guard let (sequence, start) = sequence else { return personal }
        let steps = sequences[sequence] ?? []
        let current = steps.map(\.step).current(since: start, now: now)
        return PersonalEntitlements(
            set: current.map { steps[$0.index].step.set } ?? "",
            ofSet: current.map { steps[$0.index].entitlements }, explicit: personal.explicit,
            place: SequencePosition(
                sequence: sequence, startedAt: start, changesAt: current?.endsAt))
    }

    init(_ row: inout SQLRow) throws {
        person = try row.identifier()
        project = try row.identifier()
        personal = PersonalEntitlements(
            set: try row.text(), ofSet: try row.optionalText(), explicit: try row.text())
        let (name, start) = (try row.optionalText(), try row.optionalTime())
        sequence = name.flatMap { name in start.map { (name, $0) } }
    }
}

/// One step with its sequence.
private struct StoredStep {
    let project: Identifier<Project>
    let sequence: String
    let createdAt: Timestamp
    let step: EntitlementSequence.Step

    init(_ row: inout SQLRow) throws {
        project = try row.identifier()
        sequence = try row.text()
        createdAt = try row.time()
        step = EntitlementSequence.Step(
            set: try row.text(), duration: try row.optionalInteger())
    }
}

extension [StoredStep] {
    /// The steps of one sequence must be adjacent.
    fileprivate var sequences: [EntitlementSequence] {
        reduce(into: []) { sequences, stored in
            if let last = sequences.indices.last, sequences[last].name == stored.sequence {
                sequences[last].steps.append(stored.step)
            } else {
                sequences.append(
                    EntitlementSequence(
                        project: stored.project, name: stored.sequence, steps: [stored.step],
                        createdAt: stored.createdAt))
            }
        }
    }
}

/// A step of a sequence with the entitlements of its set.
private struct GivenStep {
    let step: EntitlementSequence.Step
    let entitlements: String

    init(_ row: inout SQLRow) throws {
        step = EntitlementSequence.Step(
            set: try row.text(), duration: try row.optionalInteger())
        entitlements = try row.text()
    }
}
