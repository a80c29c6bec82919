// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// Documents with members that a concurrent newer version has written. Both engines run it.
package struct UnknownMembers {
    let store: any ProviderStore
    /// Runs a statement without arguments.
    let change: (String) async throws -> Void
    /// The first text of a query.
    let text: (String) async throws -> String

    package init(
        _ store: any ProviderStore, change: @escaping (String) async throws -> Void,
        text: @escaping (String) async throws -> String
    ) {
        self.store = store
        self.change = change
        self.text = text
    }

    private static let member = #""future":{"a":[1,2.5,true,"x"]}"#

    /// As the newer version writes a document that has other members.
    private func addMember(_ table: String, _ column: String) async throws {
        try await change(
            "UPDATE \(table) SET \(column) = '{\(Self.member),' || substr(\(column), 2)")
    }

    private func edit(
        _ f: StoreFixture, _ body: @escaping @Sendable (inout ProjectPolicy) -> Void
    ) async throws -> String {
        _ = try await store.projects.change(project: f.project.id) { project -> String? in
            body(&project.policy)
            return nil
        }
        return try await text("SELECT policy FROM projects WHERE name = '\(f.project.name)'")
    }

    private static func rule(_ name: String) -> SystemVersionPolicy {
        var rule = SystemVersionPolicy()
        rule.name = name
        return rule
    }

    /// - Throws: ``ConformanceFailure``.
    package func settings() async throws {
        let f = try await StoreFixture(store)
        _ = try await edit(f) { $0.registration.systems = [Self.rule("one"), Self.rule("two")] }
        try await addMember("projects", "policy")
        try await change(
            """
            UPDATE projects SET policy = replace(policy, '"name":"two"', '"futureLimit":7,"name":"two"')
            """)
        let edited = try await edit(f) { policy in
            policy.codeLifetime = 45
            policy.registration.systems = [Self.rule("zero")] + policy.registration.systems
        }
        try expect(edited.contains(Self.member), edited)
        try expect(edited.contains(#""codeLifetime":45"#), edited)
        try expectEqual(edited.split(separator: #""futureLimit":7"#).count, 2)
        let found = try await store.projects.project(f.project.id)
        try expectEqual(found?.policy.registration.systems.map(\.name), ["zero", "one", "two"])
        // What is removed is removed with what is in it.
        let removed = try await edit(f) { $0.registration.systems.removeLast() }
        try expect(removed.contains(Self.member) && !removed.contains(#""futureLimit""#), removed)
    }

    /// - Throws: ``ConformanceFailure``.
    package func clients() async throws {
        let f = try await StoreFixture(store)
        try await addMember("clients", "metadata")
        _ = try await store.clients.change(client: f.client.id, now: f.now) { client -> String? in
            client.metadata.clientName = "Shop"
            return nil
        }
        let metadata = try await text("SELECT metadata FROM clients")
        try expect(metadata.contains(Self.member), metadata)
        try expectEqual(await store.clients.client(f.client.id)?.metadata.clientName, "Shop")
    }

    /// - Throws: ``ConformanceFailure``.
    package func claims() async throws {
        let f = try await StoreFixture(store)
        try await change("UPDATE people SET claims = '{\(Self.member)}'")
        _ = try await store.people.change(person: f.person.id, now: f.now) { person -> String? in
            person.claims.name = "Anna"
            return nil
        }
        let outcome = try await store.groups.change(
            GroupMembershipChange(
                group: "staff", person: f.person.id, project: f.project.id, joins: true,
                at: f.now), recording: f.makeEvent("group.add"))
        try expectEqual(outcome, .changed)
        let claims = try await text("SELECT claims FROM people")
        try expect(claims.contains(Self.member), claims)
        let person = try await store.people.person(f.person.id)
        try expectEqual(person?.claims.name, "Anna")
        try expectEqual(person?.claims.groups, ["staff"])
    }
}
