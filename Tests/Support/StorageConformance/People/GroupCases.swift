// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

extension ConformanceCase {
    static let groups: [ConformanceCase] = [
        ConformanceCase("groups are those that people's claims name, with how many are in each") {
            f in
            let neighbour = try await StoreFixture(f.store)
            try await neighbour.join("staff", "zoe")
            for name in ["bea", "carl"] { try await f.join("staff", name) }
            try await f.join("Äpfel & Birnen / 100 %", "dora")
            func groups(after name: String? = nil, _ limit: Int = 9) async throws -> [GroupSummary]
            {
                try await f.store.groups.groups(of: f.project.id, after: name, limit: limit)
            }
            let (staff, fruit) = (
                GroupSummary(name: "staff", members: 2),
                GroupSummary(name: "Äpfel & Birnen / 100 %", members: 1)
            )
            try expectEqual(await groups(), [staff, fruit])
            try expectEqual(await groups(1), [staff])
            try expectEqual(await groups(after: "staff"), [fruit])
            try expectEqual(await groups(after: fruit.name), [])
            try expectEqual(
                await f.store.groups.groups(of: f.identifier(), after: nil, limit: 9), [])
        },
        ConformanceCase("members of a group are counted up to a bound") { f in
            for name in ["bea", "carl", "dora"] { try await f.join("staff", name) }
            try await f.join("admins", "emil")
            // Sorts after every other name.
            try await f.join("\u{10FFFF}", "finn")
            func counted(_ bound: Int, _ prefix: String = "") async throws -> [GroupSummary] {
                try await f.store.groups.groups(
                    of: f.project.id, startingWith: prefix, after: nil, limit: 9,
                    countingTo: bound)
            }
            let (admins, last) = (
                GroupSummary(name: "admins", members: 1),
                GroupSummary(name: "\u{10FFFF}", members: 1)
            )
            let two = GroupSummary(name: "staff", members: 2, hasMore: true)
            try expectEqual(await counted(2), [admins, two, last])
            try expectEqual(await counted(2, "st"), [two])
            let all = GroupSummary(name: "staff", members: 3)
            try expectEqual(await counted(3), [admins, all, last])
            try expectEqual(
                await f.store.groups.groups(of: f.project.id, after: nil, limit: 9),
                [admins, all, last])
        },
        ConformanceCase("members are listed in order of user name, page by page") { f in
            for name in ["zoe", "bea", "Émile", "carl"] { try await f.join("staff", name) }
            let long = String(repeating: "n", count: 80)
            for end in ["1", "2", "3"] { try await f.join("staff", long + end) }
            var names: [String] = []
            var place: GroupMemberCursor?
            repeat {
                let page = try await f.store.groups.members(
                    of: "staff", in: f.project.id, after: place, limit: 2)
                names += page.map(\.username)
                place = page.last.flatMap { GroupMemberCursor(GroupMemberCursor($0).text) }
            } while place != nil
            try expectEqual(names.prefix(2), ["bea", "carl"])
            try expectEqual(names.suffix(2), ["zoe", "Émile"])
            try expectEqual(Set(names).count, 7)
            try expectEqual(names.count, 7)
            try expectEqual(
                await f.store.groups.members(of: "staf", in: f.project.id, after: nil, limit: 9), []
            )
            try expectEqual(
                await f.store.groups.members(of: "staff", in: f.identifier(), after: nil, limit: 9),
                [])
        },
        ConformanceCase("groups are found by how their name begins, with all who are in each") {
            f in
            for name in ["bea", "carl"] { try await f.join("staff", name) }
            for name in ["dora", "emil"] { try await f.join("staff-north", name) }
            try await f.join("stage", "finn")
            try await f.join("Staff", "gerd")
            func find(_ prefix: String, after last: String? = nil) async throws -> [GroupSummary] {
                try await f.store.groups.groups(
                    of: f.project.id, startingWith: prefix, after: last, limit: 2)
            }
            let (staff, north) = (
                GroupSummary(name: "staff", members: 2),
                GroupSummary(name: "staff-north", members: 2)
            )
            try expectEqual(await find("staff"), [staff, north])
            try expectEqual(
                await find("sta", after: "staff"), [north, GroupSummary(name: "stage", members: 1)])
            try expectEqual(await find("staff", after: "staff-north"), [])
            try expectEqual(await find("staff", after: "a"), [staff, north])
            try expectEqual(await find("_"), [])
        },
        ConformanceCase("members are found by how their user name begins, page by page") { f in
            let long = String(repeating: "n", count: 80)
            for name in ["anna-1", "ann", "annabel", "anne", "bea", long] {
                try await f.join("staff", name)
            }
            try await f.join("others", "annika")
            func find(
                _ prefix: String, after place: GroupMemberCursor? = nil
            ) async throws -> [Person] {
                try await f.store.groups.members(
                    of: "staff", in: f.project.id, startingWith: prefix, after: place, limit: 2)
            }
            let first = try await find("ann")
            try expectEqual(first.map(\.username), ["ann", "anna-1"])
            let second = try await find("ann", after: first.last.map { GroupMemberCursor($0) })
            try expectEqual(second.map(\.username), ["annabel", "anne"])
            let third = try await find("ann", after: second.last.map { GroupMemberCursor($0) })
            try expectEqual(third.map(\.username), [])
            try expectEqual(await find(long + "n").map(\.username), [long])
            try expectEqual(await find("%").map(\.username), [])
        },
        ConformanceCase("every change of a person's claims changes the group memberships") { f in
            var bea = try await f.join("staff", "bea")
            bea.claims.groups = ["admins", "admins"]
            try expect(await f.store.people.update(bea, now: f.now))
            try expectEqual(await f.members("staff"), [])
            try expectEqual(await f.members("admins"), ["bea"])
            bea.claims.groups = ["admins", "staff"]
            try expect(await f.store.people.update(bea, now: f.now))
            try expectEqual(await f.members("staff"), ["bea"])
            try expectEqual(await f.members("admins"), ["bea"])
            var registration = f.makeRegistration()
            registration.person.claims.groups = ["staff"]
            _ = try await f.store.installations.register(
                registration, recording: f.makeEvent("registration"))
            try expectEqual(await f.members("staff"), ["bea", "carla"])
            try await f.store.people.remove(person: bea.id)
            try expectEqual(await f.members("staff"), ["carla"])
            try expectEqual(await f.members("admins"), [])
        },
        ConformanceCase("an update that is refused changes no list") { f in
            var bea = try await f.join("staff", "bea")
            bea.disabled = true
            bea.claims.groups = ["staff"]
            try expect(await f.store.people.update(bea, now: f.now))
            let refused = try await f.store.people.change(person: bea.id, now: f.now) { person in
                person.claims.groups = ["admins"]
                return "no"
            }
            try expectEqual(refused, .refused("no"))
            try expectEqual(await f.members("staff"), ["bea"])
            try expectEqual(await f.members("admins"), [])
        },
        ConformanceCase("a name that no index can hold is kept and not listed") { f in
            let names = [
                "", "a\nb", "a\u{0}b", String(repeating: "n", count: 256),
                String(repeating: "\u{1F98A}", count: 255),
            ]
            var bea = f.makePerson("bea")
            bea.claims.groups = names
            try expectEqual(await f.store.people.create(bea, with: []), .created)
            try expectEqual(await f.store.people.person(bea.id), bea)
            let listed = try await f.store.groups.groups(of: f.project.id, after: nil, limit: 9)
            try expectEqual(listed.map(\.name), [names[4]])
        },
        ConformanceCase("a person is added and removed once each, with an event for what changed") {
            f in
            let bea = try await f.join("staff", "bea")
            func change(_ group: String, joins: Bool) async throws -> GroupMembershipOutcome {
                try await f.change(group, bea.id, joins: joins)
            }
            try expectEqual(await change("staff", joins: true), .unchanged)
            try expectEqual(await change("admins", joins: true), .changed)
            try expectEqual(await change("admins", joins: true), .unchanged)
            try expectEqual(
                await f.store.people.person(bea.id)?.claims.groups, ["staff", "admins"])
            try expectEqual(
                await f.store.people.person(bea.id)?.claims.updatedAt, f.now.seconds)
            try expectEqual(await change("staff", joins: false), .changed)
            try expectEqual(await change("staff", joins: false), .unchanged)
            try expectEqual(await f.members("staff"), [])
            try expectEqual(await f.members("admins"), ["bea"])
            var filter = AuditFilter()
            (filter.action, filter.project) = ("group", f.project.id)
            let events = try await f.store.auditLog.auditEvents(filter, before: nil, limit: 9)
            try expectEqual(events.count, 2)
        },
        ConformanceCase("an unknown person, or one of another project, is not added") { f in
            let neighbour = try await StoreFixture(f.store)
            try expectEqual(await f.change("staff", f.identifier(), joins: true), .unknown)
            try expectEqual(await f.change("staff", neighbour.person.id, joins: true), .unknown)
            try expectEqual(await neighbour.members("staff"), [])
        },
        ConformanceCase("a person has at most the maximum number of groups") { f in
            var bea = f.makePerson("bea")
            bea.claims.groups = (0..<GroupMembershipChange.maximumGroups).map { "g\($0)" }
            _ = try await f.store.people.create(bea, with: [])
            try expectEqual(await f.change("one more", bea.id, joins: true), .full)
            try expectEqual(await f.change("g7", bea.id, joins: false), .changed)
            try expectEqual(await f.change("one more", bea.id, joins: true), .changed)
        },
        ConformanceCase("of many who put one person into groups at once none is lost") { f in
            let bea = try await f.join("staff", "bea")
            try await withThrowingTaskGroup(of: GroupMembershipOutcome.self) { tasks in
                for number in 0..<8 {
                    tasks.addTask { try await f.change("g\(number)", bea.id, joins: true) }
                }
                for try await outcome in tasks { try expectEqual(outcome, .changed) }
            }
            let groups = try await f.store.people.person(bea.id)?.claims.groups ?? []
            try expectEqual(Set(groups), Set((0..<8).map { "g\($0)" } + ["staff"]))
            let listed = try await f.store.groups.groups(of: f.project.id, after: nil, limit: 20)
            try expectEqual(Set(listed.map(\.name)), Set(groups))
        },
    ]
}

extension StoreFixture {
    /// Inserts a new person with that group.
    @discardableResult
    package func join(_ group: String, _ username: String) async throws -> Person {
        var person = makePerson(username)
        person.claims.groups = [group]
        try expectEqual(await store.people.create(person, with: []), .created)
        return person
    }

    fileprivate func members(_ group: String) async throws -> [String] {
        try await store.groups.members(of: group, in: project.id, after: nil, limit: 99).map(
            \.username)
    }

    fileprivate func change(
        _ group: String, _ person: Identifier<Person>, joins: Bool
    ) async throws -> GroupMembershipOutcome {
        try await store.groups.change(
            GroupMembershipChange(
                group: group, person: person, project: project.id, joins: joins, at: now),
            recording: makeEvent("group"))
    }
}
