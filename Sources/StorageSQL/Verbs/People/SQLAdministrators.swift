// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

let administratorAdd = Administrator.columns.insert(into: "administrators")
private let ofPerson = """
    SELECT \(Administrator.columns.list) FROM administrators WHERE person_id = $1 ORDER BY id
    """
private let linked = """
    SELECT \(Administrator.columns.of("a")) FROM credentials c JOIN administrators a ON a.person_id = c.person_id
    WHERE c.upstream_id = $1 ORDER BY a.id
    """
private let listed = """
    SELECT \(Administrator.columns.of("a")), p.username, o.name FROM administrators a
    JOIN people p ON p.id = a.person_id LEFT JOIN projects o ON o.id = a.project_id
    WHERE a.id > $1 ORDER BY a.id LIMIT $2
    """
private let owners = "SELECT person_id FROM administrators WHERE role = $1 ORDER BY id"
private let otherOwners = """
    SELECT count(*) FROM administrators a JOIN people p ON p.id = a.person_id
    WHERE a.role = $1 AND a.person_id <> $2 AND p.disabled = 0
    """
private let roleUpdate = "UPDATE administrators SET role = $2 WHERE id = $1 RETURNING id"
private let roleDelete = "DELETE FROM administrators WHERE id = $1"

/// The administrators of an installation and of its projects.
struct SQLAdministrators: AdministratorStore, SQLCapability {
    let database: SQLDatabase

    func administration(of person: Identifier<Person>) async throws -> [Administrator] {
        try await all(Administrator.init, ofPerson, person)
    }

    func administration(
        linkedTo provider: Identifier<UpstreamProvider>
    ) async throws -> [Administrator] {
        try await all(Administrator.init, linked, provider)
    }

    func administrators(
        after last: Identifier<Administrator>?, limit: Int
    ) async throws -> [AdministratorSummary] {
        try await all(AdministratorSummary.init, listed, last?.bytes ?? [], limit)
    }

    func isLastOwner(_ person: Identifier<Person>) async throws -> Bool {
        try await engine.read { try $0.isLastOwner(person, "") }
    }

    func assign(_ administrator: Administrator) async throws -> RoleAssignmentOutcome {
        let forUpdate = dialect.forUpdate
        do {
            return try await engine.write { connection in
                let isLast = try connection.isLastOwner(administrator.person, forUpdate)
                let known = try connection.query(ofPerson, administrator.person)
                    .records(Administrator.init).first { $0.project == administrator.project }
                guard let known else {
                    _ = try connection.change(administratorAdd, arguments: administrator.values)
                    return .assigned
                }
                guard known.role != .owner || administrator.role == .owner || !isLast else {
                    return .lastOwner
                }
                _ = try connection.change(roleUpdate, known.id, administrator.role.rawValue)
                return .assigned
            }
        } catch let error as StorageError where error.code == .missingParent {
            return .unknown
        }
    }

    func dismiss(
        administrator person: Identifier<Person>, of project: Identifier<Project>?
    ) async throws -> RoleRevocationOutcome {
        let forUpdate = dialect.forUpdate
        return try await engine.write { connection in
            let isLast = try connection.isLastOwner(person, forUpdate)
            let known = try connection.query(ofPerson, person).records(Administrator.init)
                .first { $0.project == project }
            guard let known else { return .unknown }
            guard known.role != .owner || !isLast else { return .lastOwner }
            _ = try connection.change(roleDelete, known.id)
            return .dismissed
        }
    }
}

extension SQLConnection {
    /// Whether the person is an owner and no other owner can sign in. The rows are locked, first of
    /// the person, then of all owners, so that the second of two changes sees the first.
    func isLastOwner(_ person: Identifier<Person>, _ forUpdate: String) throws -> Bool {
        _ = try query("SELECT id FROM people WHERE id = $1\(forUpdate)", person)
        let role = Administrator.Role.owner.rawValue
        let owners = try query(owners + forUpdate, role).records { try $0.identifier(Person.self) }
        guard owners.contains(person) else { return false }
        return try query(otherOwners, role, person).firstRecord { try $0.integer() } == 0
    }
}

extension AdministratorSummary {
    fileprivate init(_ row: inout SQLRow) throws {
        self.init(
            administrator: try Administrator(&row), username: try row.text(),
            projectName: try row.optionalText())
    }
}
