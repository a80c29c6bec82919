// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Documents with members that a concurrent newer version has written.
extension ConformanceCase {
    static let unknownMembers: [ConformanceCase] = [
        .withStatements(
            "unknown settings of a project, and of an entry in a list, are preserved by a change",
            preserveSettings),
        .withStatements(
            "unknown metadata of a client is preserved by a change", preserveMetadata),
        .withStatements(
            "unknown claims of a person are preserved by a change and by a change of groups",
            preserveClaims),
    ]

    private static let member = #""future":{"a":[1,2.5,true,"x"]}"#

    /// The condition for the rows of the fixture's project: cases may share a database.
    private static func own(_ f: StoreFixture) -> String {
        "WHERE project_id = (SELECT id FROM projects WHERE name = '\(f.project.name)')"
    }

    /// As the newer version writes a document that has other members.
    private static func added(to column: String) -> String {
        "\(column) = '{\(member),' || substr(\(column), 2)"
    }

    private static func edit(
        _ f: StoreFixture, _ database: DatabaseStatements,
        _ body: @escaping @Sendable (inout ProjectPolicy) -> Void
    ) async throws -> String {
        _ = try await f.store.projects.change(project: f.project.id) { project -> String? in
            body(&project.policy)
            return nil
        }
        return try await database.text(
            "SELECT policy FROM projects WHERE name = '\(f.project.name)'")
    }

    private static func rule(_ name: String) -> SystemVersionPolicy {
        var rule = SystemVersionPolicy()
        rule.name = name
        return rule
    }

    @Sendable private static func preserveSettings(
        _ f: StoreFixture, _ database: DatabaseStatements
    ) async throws {
        let project = "WHERE name = '\(f.project.name)'"
        _ = try await edit(f, database) { policy in
            policy.registration.systems = [rule("one"), rule("two")]
        }
        try await database.change("UPDATE projects SET \(added(to: "policy")) \(project)")
        try await database.change(
            """
            UPDATE projects SET policy =
            replace(policy, '"name":"two"', '"futureLimit":7,"name":"two"') \(project)
            """)
        let edited = try await edit(f, database) { policy in
            policy.codeLifetime = 45
            policy.registration.systems = [rule("zero")] + policy.registration.systems
        }
        try expect(edited.contains(member), edited)
        try expect(edited.contains(#""codeLifetime":45"#), edited)
        try expectEqual(edited.split(separator: #""futureLimit":7"#).count, 2)
        let found = try await f.store.projects.project(f.project.id)
        try expectEqual(found?.policy.registration.systems.map(\.name), ["zero", "one", "two"])
        // What is removed is removed with what is in it.
        let removed = try await edit(f, database) { $0.registration.systems.removeLast() }
        try expect(removed.contains(member) && !removed.contains(#""futureLimit""#), removed)
    }

    @Sendable private static func preserveMetadata(
        _ f: StoreFixture, _ database: DatabaseStatements
    ) async throws {
        try await database.change("UPDATE clients SET \(added(to: "metadata")) \(own(f))")
        _ = try await f.store.clients.change(client: f.client.id, now: f.now) { client -> String? in
            client.metadata.clientName = "Shop"
            return nil
        }
        let metadata = try await database.text("SELECT metadata FROM clients \(own(f))")
        try expect(metadata.contains(member), metadata)
        try expectEqual(await f.store.clients.client(f.client.id)?.metadata.clientName, "Shop")
    }

    @Sendable private static func preserveClaims(
        _ f: StoreFixture, _ database: DatabaseStatements
    ) async throws {
        try await database.change("UPDATE people SET claims = '{\(member)}' \(own(f))")
        _ = try await f.store.people.change(person: f.person.id, now: f.now) { person -> String? in
            person.claims.name = "Anna"
            return nil
        }
        let outcome = try await f.store.groups.change(
            GroupMembershipChange(
                group: "staff", person: f.person.id, project: f.project.id, joins: true,
                at: f.now), recording: f.makeEvent("group.add"))
        try expectEqual(outcome, .changed)
        let claims = try await database.text("SELECT claims FROM people \(own(f))")
        try expect(claims.contains(member), claims)
        let person = try await f.store.people.person(f.person.id)
        try expectEqual(person?.claims.name, "Anna")
        try expectEqual(person?.claims.groups, ["staff"])
    }
}
