// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

private let personSelect = "SELECT \(Person.columns.list) FROM people"
private let personByID = "\(personSelect) WHERE id = $1"
private let personByUsername = "\(personSelect) WHERE project_id = $1 AND username = $2"
private let personByEmail = """
    \(personSelect) WHERE project_id = $1 AND verified_email = $2 LIMIT 2
    """
private let peopleAfter = """
    \(personSelect) WHERE project_id = $1 AND username > $2 ORDER BY username LIMIT $3
    """
private let peopleStarting = PrefixList("\(personSelect) WHERE project_id = $1", by: "username")
/// The last parameter is ``Person/verifiedEmail``.
let personAdd = """
    INSERT INTO people (\(Person.columns.list), verified_email)
    VALUES (\(Person.columns.parameters), $10) ON CONFLICT DO NOTHING
    """
private let personUpdate = """
    UPDATE people SET username = $2, claims = $3, disabled = $4, verified_email = $5
    WHERE id = $1 RETURNING id
    """

private let claimsRefresh = """
    UPDATE people SET claims = $2, verified_email = $3 WHERE id = $1 AND disabled = 0 RETURNING id
    """

extension SQLStore {
    package func person(_ id: Identifier<Person>) async throws -> Person? {
        try await one(Person.init, personByID, id)
    }

    package func person(
        username: String, in project: Identifier<Project>
    ) async throws -> Person? {
        try await one(Person.init, personByUsername, project, username)
    }

    package func person(
        verifiedEmail: String, in project: Identifier<Project>
    ) async throws -> Person? {
        let found = try await all(Person.init, personByEmail, project, verifiedEmail)
        return found.count == 1 ? found.first : nil
    }

    package func people(
        of project: Identifier<Project>, after username: String?, limit: Int
    ) async throws -> [Person] {
        try await all(Person.init, peopleAfter, project, username ?? "", limit)
    }

    package func people(
        of project: Identifier<Project>, startingWith prefix: String, after username: String?,
        limit: Int
    ) async throws -> [Person] {
        try await all(
            Person.init, peopleStarting, of: project, startingWith: prefix, after: username,
            limit: limit)
    }

    package func create(
        _ person: Person, with credentials: [Credential], using use: SingleUse?
    ) async throws -> CreateOutcome {
        let values = try person.values() + [person.verifiedEmail.sqlValue]
        do {
            return try await engine.write { connection in
                guard try connection.change(personAdd, arguments: values) > 0 else {
                    return .usernameTaken
                }
                try connection.listUnderGroups(person)
                if let use, try connection.change(markAdd, arguments: use.values) == 0 {
                    throw CreateOutcome.usernameTaken
                }
                for credential in credentials {
                    let added = try connection.change(
                        credentialAdd, arguments: credential.values)
                    if added == 0 { throw CreateOutcome.credentialTaken }
                }
                return .created
            }
        } catch let outcome as CreateOutcome {
            // Rolled back: nobody was made.
            return outcome
        }
    }

    package func update(_ person: Person, now: Timestamp) async throws -> Bool {
        let values = try [
            person.id.sqlValue, person.qualifiedName.sqlValue, person.values()[3],
            person.disabled.sqlValue, person.verifiedEmail.sqlValue,
        ]
        let forUpdate = dialect.forUpdate
        return try await unlessTaken {
            try await engine.write { connection in
                if person.disabled, try connection.isLastOwner(person.id, forUpdate) {
                    return false
                }
                guard try !connection.run(personUpdate, arguments: values).isEmpty else {
                    return false
                }
                try connection.listAnewUnderGroups(person)
                guard person.disabled else { return true }
                _ = try connection.run(sessionsDeleteOfPerson, person.id)
                _ = try connection.run(grantsRevokeOfPerson, person.id, now, now.revokedRowsEnd)
                return true
            }
        }
    }

    package func refreshClaims(of person: Person) async throws -> Bool {
        let values = try [
            person.id.sqlValue, person.values()[3], person.verifiedEmail.sqlValue,
        ]
        return try await unlessTaken {
            try await engine.write { connection in
                guard try !connection.run(claimsRefresh, arguments: values).isEmpty else {
                    return false
                }
                try connection.listAnewUnderGroups(person)
                return true
            }
        }
    }

    package func remove(person id: Identifier<Person>) async throws {
        _ = try await engine.change("DELETE FROM people WHERE id = $1", id)
    }
}
