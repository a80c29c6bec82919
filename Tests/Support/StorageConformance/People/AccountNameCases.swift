// SPDX-License-Identifier: Apache-2.0
import Storage

extension ConformanceCase {
    static let accountNames: [ConformanceCase] = [
        ConformanceCase("an account's name is given once, and stays") { f in
            let bea = f.makePerson("bea")
            _ = try await f.store.people.create(bea, with: [])
            try expectEqual(await f.accountName(["bea", "b"], to: bea), "bea")
            try expectEqual(await f.accountName(["other"], to: bea), "bea")
            try expectEqual(await f.store.people.person(bea.id)?.accountName, "bea")
            try expectEqual(await f.accountName(["x"], to: f.makePerson("nobody")), nil)
        },
        ConformanceCase("an account's name that is taken is not given, nor one of another user") {
            f in
            let people = ["bea", "bea!", "bea?"].map { f.makePerson($0) }
            for person in people { _ = try await f.store.people.create(person, with: []) }
            try expectEqual(await f.accountName(["bea", "bea-1"], to: people[1]), "bea-1")
            try expectEqual(await f.accountName(["bea-1", "bea-2"], to: people[2]), "bea-2")
            try expectEqual(await f.accountName(["bea"], to: people[0]), "bea")
            let last = f.makePerson("ben")
            _ = try await f.store.people.create(last, with: [])
            try expectEqual(await f.accountName(["bea", "bea-1"], to: last), nil)
        },
        ConformanceCase("of many who ask at once one has the account's name") { f in
            let people = (0..<20).map { f.makePerson("carl-\($0)") }
            for person in people { _ = try await f.store.people.create(person, with: []) }
            let names = try await race(40) { racer in
                try await f.accountName(
                    ["carl", "carl-of-\(racer % 20)"], to: people[racer % 20])
            }
            try expectEqual(Set(names).count, 20)
            try expectEqual(Set(names.compactMap(\.self)).count { $0 == "carl" }, 1)
            for racer in 0..<20 { try expectEqual(names.count { $0 == names[racer] }, 2) }
        },
    ]
}

extension StoreFixture {
    fileprivate func accountName(_ names: [String], to person: Person) async throws -> String? {
        try await store.people.assignAccountName(names, to: person.id, in: project.id, now: now)
    }
}
