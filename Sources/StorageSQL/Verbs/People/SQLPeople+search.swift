// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Of the terms of one person with that prefix, only the first is returned.
private let peopleFound = """
    SELECT \(Person.columns.of("p")), t.term FROM person_terms t JOIN people p ON p.id = t.person_id
    WHERE t.project_id = $1 AND (t.term, t.person_id) > ($2, $3) AND t.term < $4
    AND NOT EXISTS (SELECT 1 FROM person_terms o WHERE o.person_id = t.person_id
    AND o.term >= $5 AND o.term < t.term) AND NOT (p.username >= $6 AND p.username < $7)
    ORDER BY t.term, t.person_id
    """
private let termAdd = """
    INSERT INTO person_terms (project_id, term, person_id) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING
    """
private let peopleUnlisted = """
    SELECT \(Person.columns.list) FROM people WHERE listed IS NULL AND id > $1 ORDER BY id LIMIT 500
    """
private let personListed = "UPDATE people SET listed = 1 WHERE id = $1"

extension SQLPeople {
    func people(
        of project: Identifier<Project>, foundBy term: String, butNotNamed username: String,
        after last: FoundPerson.Position?, limit: Int
    ) async throws -> [FoundPerson] {
        let (found, named) = (PrefixRange(term), PrefixRange(username))
        return try await page(
            { FoundPerson(person: try Person(&$0), term: try $0.text()) }, peopleFound, project,
            last?.term ?? found.begin, last?.person.bytes ?? [], found.end, found.begin,
            named.begin, named.end, limit: limit)
    }

    /// Lists existing people without search terms, and those from a concurrent older version.
    func addMissingSearchTerms() async throws {
        var last: [UInt8] = []
        while true {
            let people = try await all(Person.init, peopleUnlisted, last)
            guard let end = people.last else { return }
            try await engine.write { connection in
                for person in people {
                    try connection.listAnewForSearch(person)
                    _ = try connection.change(personListed, person.id)
                }
            }
            last = end.id.bytes
        }
    }
}

extension SQLConnection {
    /// Inserts the search terms of a new person.
    func listForSearch(_ person: Person) throws {
        for term in SearchTerms.of(person) {
            _ = try change(termAdd, person.project, term, person.id)
        }
    }

    /// Updates the terms of an existing person.
    func listAnewForSearch(_ person: Person) throws {
        _ = try change("DELETE FROM person_terms WHERE person_id = $1", person.id)
        try listForSearch(person)
    }
}
