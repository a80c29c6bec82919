// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let setOfPerson = """
    SELECT name FROM entitlement_sets
    WHERE project_id = (SELECT project_id FROM people WHERE id = $1) AND name = $2
    """
private let givenToPerson = """
    SELECT p.project_id, p.entitlement_set, q.sequence, p.entitlements
    FROM people p LEFT JOIN person_sequences q ON q.person_id = p.id WHERE p.id = $1
    """
private let personGive = "UPDATE people SET entitlement_set = $2, entitlements = $3 WHERE id = $1"
private let personLeaves = "DELETE FROM person_sequences WHERE person_id = $1"
/// A person who is already in the sequence stays at the same step.
private let personBegins = """
    INSERT INTO person_sequences (project_id, sequence, person_id, started_at)
    VALUES ($1, $2, $3, $4) ON CONFLICT (person_id) DO UPDATE
    SET started_at = CASE WHEN person_sequences.sequence = excluded.sequence
    THEN person_sequences.started_at ELSE excluded.started_at END,
    sequence = excluded.sequence
    """

extension SQLEntitlements {
    func setEntitlements(
        of person: Identifier<Person>, to given: GivenEntitlements,
        over earlier: GivenEntitlements?,
        now: Timestamp
    ) async throws -> SetEntitlementsOutcome {
        let dialect = dialect
        do {
            return try await engine.write { connection in
                // The set is locked first, as in bulk assignment and deletion.
                let set = try connection.query(setOfPerson + dialect.forShare, person, given.set)
                guard given.set.isEmpty || !set.isEmpty else { return .unknown }
                try connection.hold(person, dialect)
                guard let known = try connection.given(to: person) else { return .unknown }
                if let earlier, earlier != known.given { return .changedMeanwhile }
                _ = try connection.change(personGive, person, given.set, given.explicit)
                if given.sequence.isEmpty {
                    _ = try connection.change(personLeaves, person)
                } else {
                    _ = try connection.change(
                        personBegins, known.project, given.sequence, person, now)
                }
                return .assigned
            }
        } catch let error as StorageError where error.code == .missingParent {
            return .unknown
        }
    }
}

extension SQLConnection {
    fileprivate func given(
        to person: Identifier<Person>
    ) throws -> (project: Identifier<Project>, given: GivenEntitlements)? {
        try query(givenToPerson, person).firstRecord { row in
            let project: Identifier<Project> = try row.identifier()
            return (
                project,
                GivenEntitlements(
                    set: try row.text(), sequence: try row.optionalText() ?? "",
                    explicit: try row.text())
            )
        }
    }
}
