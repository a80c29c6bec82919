// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let setGive = """
    UPDATE people SET entitlement_set = $3
    WHERE id = $1 AND project_id = $2 AND entitlement_set <> $3 RETURNING id
    """
private let setTake = """
    UPDATE people SET entitlement_set = ''
    WHERE id = $1 AND project_id = $2 AND entitlement_set = $3 RETURNING id
    """
private let sequenceLeave = """
    DELETE FROM person_sequences WHERE person_id = $1 AND project_id = $2 RETURNING person_id
    """

extension SQLEntitlements {
    func change(
        _ change: EntitlementSetChange, for subjects: [EntitlementSetChange.Subject],
        in project: Identifier<Project>
    ) async throws -> Set<Identifier<Person>>? {
        let hold = setHold + dialect.forUpdate
        return try await engine.write { connection in
            // The lock comes first: a concurrent deletion of the set waits, and then finds that the
            // set is in use.
            guard try connection.first(hold, project, change.set) != nil else { return nil }
            var changed: Set<Identifier<Person>> = []
            for subject in subjects
            where try connection.changes(change, subject.person, project) {
                _ = try connection.change(auditInsert, arguments: subject.event.values)
                changed.insert(subject.person)
            }
            return changed
        }
    }
}

extension SQLConnection {
    /// Whether the change affected the person.
    fileprivate func changes(
        _ change: EntitlementSetChange, _ person: Identifier<Person>,
        _ project: Identifier<Project>
    ) throws -> Bool {
        guard change.isGiven else {
            return try !self.change(returning: setTake, person, project, change.set).isEmpty
        }
        let given = try self.change(returning: setGive, person, project, change.set)
        let left = try self.change(returning: sequenceLeave, person, project)
        return !given.isEmpty || !left.isEmpty
    }
}
