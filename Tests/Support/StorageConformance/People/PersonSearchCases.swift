// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let personSearch: [ConformanceCase] = [
        ConformanceCase("people are found by the beginning of a name's words and of the address") {
            f in
            let bea = try await f.named("b1", "Bea Großmann", email: "info@acme.example")
            for text in ["bea", "gro", "GROSSM", "bea gr", "info@acme", "Großmann"] {
                try expectEqual(await f.found(text), [bea.id])
            }
            for text in ["ea", "mann", "acme", "b1", "%", "bea  "] {
                try expectEqual(await f.found(text), [])
            }
        },
        ConformanceCase("people are found by a surname, a given name and a nickname alone") { f in
            for (path, text) in [
                (\PersonClaims.familyName, "Surnameson"), (\.givenName, "Givenna"),
                (\.nickname, "Nicky"),
            ] {
                var person = f.makePerson("x\(text.count)")
                person.claims[keyPath: path] = text
                let made = person
                try expectEqual(await f.store.people.create(made, with: []), .created)
                try expectEqual(await f.found(String(text.prefix(4))), [made.id])
            }
        },
        ConformanceCase("all people are found once, page by page, except those found by username") {
            f in
            var wanted: Set<Identifier<Person>> = []
            for number in 0..<9 {
                let name = number < 4 ? "Miller" : "Millerson Millerby"
                wanted.insert(try await f.named("p\(number)", name).id)
            }
            _ = try await f.named("miller", "Anna Millerova")
            var seen: [Identifier<Person>] = []
            var last: FoundPerson.Position?
            repeat {
                let page = try await f.store.people.people(
                    of: f.project.id, foundBy: "mill", butNotNamed: "mill", after: last, limit: 2)
                seen += page.map(\.person.id)
                last = page.last.map { .init(term: $0.term, person: $0.person.id) }
            } while last != nil
            try expectEqual(seen.count, 9)
            try expectEqual(Set(seen), wanted)
        },
        ConformanceCase("people are found by their current names, and not after deletion") {
            f in
            var bea = try await f.named("b1", "Bea Old")
            bea.claims.name = "Bea New"
            try expect(await f.store.people.update(bea, now: f.now))
            try expectEqual(await f.found("old"), [])
            try expectEqual(await f.found("new"), [bea.id])
            try await f.store.people.remove(person: bea.id)
            try expectEqual(await f.found("new"), [])
            let other = try await StoreFixture(f.store)
            _ = try await other.named("b2", "Bea New")
            try expectEqual(await f.found("new"), [])
        },
    ]
}

extension StoreFixture {
    fileprivate func named(
        _ username: String, _ name: String, email: String? = nil
    ) async throws -> Person {
        var person = makePerson(username, email: email)
        person.claims.name = name
        try expectEqual(await store.people.create(person, with: []), .created)
        return person
    }

    fileprivate func found(_ text: String) async throws -> [Identifier<Person>] {
        try await store.people.people(
            of: project.id, foundBy: SearchTerms.folded(text), butNotNamed: text, after: nil,
            limit: 9
        ).map(\.person.id)
    }
}
