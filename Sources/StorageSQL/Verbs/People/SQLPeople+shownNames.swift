// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// The last parameter is ``Person/verifiedEmail``.
private let personAdd = """
    INSERT INTO people (\(Person.columns.list), verified_email, listed)
    VALUES (\(Person.columns.parameters), \(Person.columns.after(1)), 1)
    ON CONFLICT DO NOTHING
    """
private let personNamed = "SELECT id FROM people WHERE project_id = $1 AND username = $2"
private let peopleWithoutShownName = """
    SELECT \(Person.columns.list) FROM people
    WHERE shown_name IS NULL AND (created_at, id) > ($1, $2) ORDER BY created_at, id LIMIT 500
    """
private let shownNameGive = """
    UPDATE people SET shown_name = $2 WHERE id = $1 AND shown_name IS NULL
    AND NOT EXISTS (SELECT 1 FROM people o WHERE o.project_id = $3 AND o.shown_name = $2)
    AND NOT EXISTS (SELECT 1 FROM held_names h WHERE h.project_id = $3 AND h.name = $2)
    """

extension SQLConnection {
    /// Inserts the person with the first free name of their ``Person/shownNames``, and lists their
    /// groups. A held name is not free. Returns `false` if the username is taken in the realm.
    func add(_ person: Person) throws -> Bool {
        var shown = person
        for name in person.shownNames {
            shown.shownName = name
            let values = try shown.values(and: [person.verifiedEmail.sqlValue])
            if try change(personAdd, arguments: values) > 0 {
                if try isHeld(name, in: person.project, person.createdAt) {
                    _ = try change("DELETE FROM people WHERE id = $1", person.id)
                    continue
                }
                if !person.realm.isEmpty { try add(realm: person.realm, of: person.project) }
                try listUnderGroups(person)
                try listForSearch(person)
                return true
            }
            // Finds which of the two names is taken.
            guard try query(personNamed, person.project, person.qualifiedName).isEmpty else {
                return false
            }
        }
        return false
    }

    /// Assigns a name to a person without one.
    fileprivate func assignShownName(to person: Person) throws {
        for name in person.shownNames {
            let values = [person.id.sqlValue, name.sqlValue, person.project.sqlValue]
            if try change(shownNameGive, arguments: values) > 0 { return }
        }
    }
}

extension SQLPeople {
    /// Runs `body`; returns `false` if a uniqueness constraint is violated.
    func unlessTaken(_ body: () async throws -> Bool) async throws -> Bool {
        do {
            return try await body()
        } catch let error as StorageError where error.code == .conflict {
            return false
        }
    }

    /// Assigns names to existing people of other realms, and to those from a concurrent older
    /// version. The oldest come first, so that the result does not depend on the order of sign-ins.
    func assignMissingShownNames() async throws {
        var last: (at: Timestamp, id: [UInt8]) = (Timestamp(milliseconds: .min), [])
        while true {
            let people = try await all(Person.init, peopleWithoutShownName, last.at, last.id)
            guard let end = people.last else { return }
            // A concurrent transaction may take a name in the same moment: then the others are
            // tried again.
            while try await !unlessTaken({
                try await engine.write { connection in
                    for person in people { try connection.assignShownName(to: person) }
                    return true
                }
            }) {}
            last = (end.createdAt, end.id.bytes)
        }
    }
}
