// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let personSelect = "SELECT \(Person.columns.list) FROM people"
private let personByID = "\(personSelect) WHERE id = $1"
/// By the key that a concurrent older version writes too.
private let personByUsername = "\(personSelect) WHERE project_id = $1 AND username = $2"
private let personByEmail = """
    \(personSelect) WHERE project_id = $1 AND verified_email = $2 LIMIT 2
    """
private let peopleAfter = """
    \(personSelect) WHERE project_id = $1 AND username > $2 ORDER BY username
    """
private let peopleStarting = PrefixList("\(personSelect) WHERE project_id = $1", by: "username")
private let personUpdate = RecordUpdate<Person>(
    "people", key: "id",
    except: """
        project_id username realm user_name created_at origin entitlement_set shown_name \
        account_name invited_until
        """,
    also: "verified_email")

/// The people of projects, with their names.
struct SQLPeople: PersonStore, SQLCapability {
    let database: SQLDatabase

    func person(_ id: Identifier<Person>) async throws -> Person? {
        try await one(Person.init, personByID, id)
    }

    func person(
        username: String, in project: Identifier<Project>
    ) async throws -> Person? {
        try await one(Person.init, personByUsername, project, username)
    }

    func person(
        verifiedEmail: String, in project: Identifier<Project>
    ) async throws -> Person? {
        let found = try await all(Person.init, personByEmail, project, verifiedEmail)
        return found.count == 1 ? found.first : nil
    }

    func people(
        of project: Identifier<Project>, after username: String?, limit: Int
    ) async throws -> [Person] {
        try await page(Person.init, peopleAfter, project, username ?? "", limit: limit)
    }

    func people(
        of project: Identifier<Project>, startingWith prefix: String, after username: String?,
        limit: Int
    ) async throws -> [Person] {
        try await all(
            Person.init, peopleStarting, of: project, startingWith: prefix, after: username,
            limit: limit)
    }

    func create(
        _ person: Person, with credentials: [Credential], using use: OneTimeUse?,
        nameMayBeHeld: Bool
    ) async throws -> CreateOutcome {
        do {
            return try await engine.write { connection in
                guard try connection.add(person) else { return .usernameTaken }
                let name = person.qualifiedName
                if !nameMayBeHeld,
                    try connection.isHeld(name, in: person.project, person.createdAt)
                {
                    throw CreateOutcome.usernameTaken
                }
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
            // The transaction was rolled back: no person was inserted.
            return outcome
        }
    }

    func change<Objection: Sendable>(
        person id: Identifier<Person>, password: Credential?, now: Timestamp,
        _ edit: @escaping @Sendable (inout Person) -> Objection?
    ) async throws -> RecordEdit<Person, Objection> {
        let forUpdate = dialect.forUpdate
        return try await self.edit(
            Person.init, personByID, [id.sqlValue], edit,
            also: { connection in
                guard let password else { return }
                _ = try connection.set(password, replacing: .any, keeping: nil, now)
            }
        ) {
            connection, row, old, new in
            guard new.qualifiedName == old.qualifiedName else {
                throw StorageError(.engine, "a person's username does not change")
            }
            if new.disabled, !old.disabled, try connection.isLastOwner(id, forUpdate) {
                throw LastOwner()
            }
            try connection.update(new, over: row)
            if old.claims.groups != new.claims.groups {
                try connection.listAnewUnderGroups(new)
            }
            if SearchTerms.of(old) != SearchTerms.of(new) { try connection.listAnewForSearch(new) }
            guard new.disabled else { return }
            _ = try connection.change(sessionsDeleteOfPerson, id)
            _ = try connection.change(grantsRevokeOfPerson, id, now, now.revokedRowsEnd)
        }
    }

    func remove(person id: Identifier<Person>, now: Timestamp) async throws {
        _ = try await engine.write { try $0.deletePeople(personDelete, id, now: now) }
    }
}

extension SQLConnection {
    /// Writes what an edit of a person can change.
    /// - Parameter row: The stored row of the person.
    func update(_ person: Person, over row: SQLRow) throws {
        try personUpdate.run(
            person, over: row, and: [person.verifiedEmail.sqlValue], on: self)
    }
}
