// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let membersFirst = """
    SELECT \(Person.columns.of("p")) FROM group_members g JOIN people p ON p.id = g.person_id
    WHERE g.project_id = $1 AND g.group_name = $2 ORDER BY g.sort_name, g.person_id
    """
private let membersAfter = """
    SELECT \(Person.columns.of("p")) FROM group_members g JOIN people p ON p.id = g.person_id
    WHERE g.project_id = $1 AND g.group_name = $2 AND (g.sort_name, g.person_id) > ($3, $4)
    ORDER BY g.sort_name, g.person_id
    """
private let membersStarting = """
    SELECT \(Person.columns.of("p")) FROM group_members g JOIN people p ON p.id = g.person_id
    WHERE g.project_id = $1 AND g.group_name = $2 AND g.sort_name >= $3 AND g.sort_name < $4
    ORDER BY g.sort_name, g.person_id
    """
private let membersGoingOn = """
    SELECT \(Person.columns.of("p")) FROM group_members g JOIN people p ON p.id = g.person_id
    WHERE g.project_id = $1 AND g.group_name = $2 AND (g.sort_name, g.person_id) > ($3, $4)
    AND g.sort_name < $5 ORDER BY g.sort_name, g.person_id
    """
private let memberInsert = """
    INSERT INTO group_members (project_id, group_name, sort_name, person_id)
    VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
    """
private let personOfProject = """
    SELECT \(Person.columns.list) FROM people WHERE id = $1 AND project_id = $2
    """

/// The groups of projects and their members.
struct SQLGroups: GroupStore, SQLCapability {
    let database: SQLDatabase

    func members(
        of group: String, in project: Identifier<Project>, after place: GroupMemberCursor?,
        limit: Int
    ) async throws -> [Person] {
        guard let place else {
            return try await page(Person.init, membersFirst, project, group, limit: limit)
        }
        return try await page(
            Person.init, membersAfter, project, group, place.name, place.person, limit: limit)
    }

    func members(
        of group: String, in project: Identifier<Project>, startingWith prefix: String,
        after place: GroupMemberCursor?, limit: Int
    ) async throws -> [Person] {
        let range = PrefixRange(GroupMemberCursor.sorted(prefix), after: place?.name)
        guard range.goesOn, let place else {
            return try await page(
                Person.init, membersStarting, project, group, range.begin, range.end, limit: limit)
        }
        return try await page(
            Person.init, membersGoingOn, project, group, place.name, place.person, range.end,
            limit: limit)
    }

    func change(
        _ change: GroupMembershipChange, recording event: AuditEvent
    ) async throws -> GroupMembershipOutcome {
        let held = personOfProject + dialect.forUpdate
        return try await engine.write { connection in
            let found = try connection.query(held, change.person, change.project)
            guard let row = found.first, var person = try found.firstRecord(Person.init) else {
                return .unknown
            }
            let outcome = change.apply(to: &person.claims)
            guard outcome == .changed else { return outcome }
            try connection.update(person, over: row)
            try connection.listAnewUnderGroups(person)
            _ = try connection.change(auditInsert, arguments: event.values)
            return .changed
        }
    }
}

extension GroupMembershipChange {
    fileprivate func apply(to claims: inout PersonClaims) -> GroupMembershipOutcome {
        var groups = claims.groups ?? []
        guard groups.contains(group) != joins else { return .unchanged }
        if joins {
            guard groups.count < Self.maximumGroups else { return .full }
            groups.append(group)
        } else {
            groups.removeAll { $0 == group }
        }
        claims.groups = groups
        claims.updatedAt = at.seconds
        return .changed
    }
}

extension SQLConnection {
    /// Inserts a new person into the lists of the groups in their claims.
    func listUnderGroups(_ person: Person) throws {
        guard let groups = person.claims.groups else { return }
        let place = GroupMemberCursor(person)
        for group in groups where GroupMembershipChange.isListed(group) {
            _ = try change(memberInsert, person.project, group, place.name, person.id)
        }
    }

    /// Updates the group lists of an existing person. The caller has just written the person's row
    /// and has its lock.
    func listAnewUnderGroups(_ person: Person) throws {
        _ = try change("DELETE FROM group_members WHERE person_id = $1", person.id)
        try listUnderGroups(person)
    }
}
