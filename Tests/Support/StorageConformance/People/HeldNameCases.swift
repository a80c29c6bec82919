// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Names of people who were removed.
extension ConformanceCase {
    static let heldNames: [ConformanceCase] = [
        ConformanceCase("a removed person's names are not assigned to another person") { f in
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            try expectEqual(await f.accountName(["bea-account"], to: bea), "bea-account")
            try await f.store.people.remove(person: bea.id, now: f.now)
            let next = f.makePerson("bea")
            try expectEqual(await f.store.people.create(next, with: []), .created)
            try expectEqual(await f.store.people.person(next.id)?.username, "bea")
            try expectEqual(await f.store.people.person(next.id)?.shownName, "bea#local")
            try expectEqual(
                await f.accountName(["bea", "bea-account", "bea-1"], to: next), "bea-1")
        },
        ConformanceCase("an account that a person makes does not get a held username") { f in
            for remove in [StoreFixture.removed, StoreFixture.deregistered] {
                let bea = f.makePerson("bea")
                _ = try await f.store.people.create(bea, with: [])
                try await remove(f)(bea)
                try expect(await f.store.people.isHeld(name: "bea", in: f.project.id, now: f.now))
                let outcome = try await f.createByThemselves(f.makePerson("bea"))
                try expectEqual(outcome, .usernameTaken)
                try expectEqual(await f.store.people.person(username: "bea", in: f.project.id), nil)
                try expect(await f.store.people.release(name: "bea", of: f.project.id, now: f.now))
            }
        },
        ConformanceCase("of many renames at once none changes a username or holds a name") { f in
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            let isChanged = try await race(16) { racer in
                let edit: @Sendable (inout Person) -> Never? = always {
                    if racer > 0 { $0.username = "bea-\(racer)" }
                    $0.claims.nickname = "\(racer)"
                }
                do {
                    return try await f.store.people.change(person: bea.id, now: f.now, edit).isKept
                } catch let error as StorageError where error.code == .engine { return false }
            }
            try expectEqual(isChanged, [true] + Array(repeating: false, count: 15))
            try expectEqual(await f.store.people.person(bea.id)?.username, "bea")
            try expectEqual(await f.store.people.person(bea.id)?.claims.nickname, "0")
            for name in ["bea"] + (1..<16).map({ "bea-\($0)" }) {
                try expect(await !f.store.people.isHeld(name: name, in: f.project.id, now: f.now))
            }
        },
        ConformanceCase("a released name is assigned again, and one whose period has ended") { f in
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            try await f.store.people.remove(person: bea.id, now: f.now)
            try expect(await f.store.people.release(name: "bea", of: f.project.id, now: f.now))
            try expect(await !f.store.people.release(name: "bea", of: f.project.id, now: f.now))
            let next = f.makePerson("bea")
            try expectEqual(await f.createByThemselves(next), .created)
            try expectEqual(await f.store.people.person(next.id)?.shownName, "bea")

            try await f.store.people.remove(person: next.id, now: f.now - .days(365))
            let later = f.makePerson("bea")
            try expectEqual(await f.createByThemselves(later), .created)
            try expectEqual(await f.store.people.person(later.id)?.shownName, "bea")
            try expect(await !f.store.people.release(name: "bea", of: f.project.id, now: f.now))
        },
        ConformanceCase("the project says how long, and names of other projects are free") { f in
            let other = try await StoreFixture(f.store)
            _ = try await f.store.projects.change(
                project: f.project.id, always { $0.policy.usernameReuseDelay = 0 })
            for one in [f, other] {
                let bea = one.makePerson("bea")
                _ = try await one.store.people.create(bea, with: [])
                try await one.store.people.remove(person: bea.id, now: one.now)
            }
            try expect(await !f.store.people.isHeld(name: "bea", in: f.project.id, now: f.now))
            try expect(await f.store.people.isHeld(name: "bea", in: other.project.id, now: f.now))
        },
        ConformanceCase("names of people who are removed in a batch are held") { f in
            var bea = f.makePerson("bea")
            bea.origin = "testKey"
            _ = try await f.store.people.create(bea, with: [])
            let removed = try await f.store.installations.removePeople(
                of: f.project.id, origin: "testKey", before: f.now + .seconds(1), limit: 9,
                now: f.now
            ) { _ in nil }
            try expectEqual(removed, 1)
            try expect(await f.store.people.isHeld(name: "bea", in: f.project.id, now: f.now))
        },
        ConformanceCase("of a removal and new people at the same moment none gets the names") { f in
            for round in 0..<6 {
                let name = "bea-\(round)"
                let bea = f.makePerson(name)
                _ = try await f.store.people.create(bea, with: [])
                _ = try await f.accountName([name], to: bea)
                let carl = f.makePerson("carl-\(round)")
                _ = try await f.store.people.create(carl, with: [])
                let new = (0..<12).map { racer in
                    var person = f.makePerson(name)
                    if racer > 2 { person.realm = "idp:\(racer)" }
                    return person
                }
                _ = try await race(14) { racer in
                    switch racer {
                    case 6: try await f.store.people.remove(person: bea.id, now: f.now)
                    case 13: _ = try await f.accountName([name, "carl-\(round)"], to: carl)
                    case 0: _ = try await f.createByThemselves(new[0])
                    case 12: break
                    default: _ = try await f.store.people.create(new[racer], with: [])
                    }
                }
                for person in new {
                    try expect(await f.store.people.person(person.id)?.shownName != name)
                }
                try expectEqual(await f.store.people.person(carl.id)?.accountName, "carl-\(round)")
                try expectEqual(await f.store.people.person(new[0].id), nil)
            }
        },
    ]
}

extension StoreFixture {
    fileprivate func accountName(_ names: [String], to person: Person) async throws -> String? {
        try await store.people.assignAccountName(names, to: person.id, in: project.id, now: now)
    }

    fileprivate func createByThemselves(_ person: Person) async throws -> CreateOutcome {
        try await store.people.create(person, with: [], using: nil, nameMayBeHeld: false)
    }

    fileprivate func removed(_ person: Person) async throws {
        try await store.people.remove(person: person.id, now: now)
    }

    fileprivate func deregistered(_ person: Person) async throws {
        try expectEqual(
            await store.installations.deregister(person: person.id, recording: makeEvent("gone")),
            .removed)
    }
}
