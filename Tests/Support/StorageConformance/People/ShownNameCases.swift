// SPDX-License-Identifier: Apache-2.0
import Storage

extension ConformanceCase {
    static let shownNames: [ConformanceCase] = [
        ConformanceCase("what applications are told as the user name is there once") { f in
            var names: [String] = []
            for realm in ["", "idp:acme", "https://a.example", "idp:acme#", "idp:b"] {
                let new = f.makeRegistration("dora", realm: realm)
                let outcome = try await f.store.installations.register(
                    new, recording: f.makeEvent("registration"))
                try expectEqual(outcome, .registered)
                names.append(try await f.shownName(of: new.person))
            }
            try expectEqual(
                names, ["dora", "dora#acme", "dora#a.example", "dora#acme#", "dora#b"])
        },
        ConformanceCase("who comes first has the plain name, and keeps it") { f in
            let stranger = f.makePerson("boss", realm: "idp:acme")
            try expectEqual(await f.store.people.create(stranger, with: []), .created)
            let local = f.makePerson("boss")
            try expectEqual(await f.store.people.create(local, with: []), .created)
            try expectEqual(await f.shownName(of: stranger), "boss")
            try expectEqual(await f.shownName(of: local), "boss#local")
            try await f.store.people.remove(person: stranger.id)
            try expectEqual(await f.shownName(of: local), "boss#local")
        },
        ConformanceCase("a local name that resembles another realm's is still available") { f in
            let local = f.makePerson("anna#acme")
            try expectEqual(await f.store.people.create(local, with: []), .created)
            let stranger = f.makePerson("anna", realm: "idp:acme")
            try expectEqual(await f.store.people.create(stranger, with: []), .created)
            try expectEqual(await f.shownName(of: local), "anna#acme")
            try expectEqual(await f.shownName(of: stranger), "anna#\(stranger.id)")
        },
        ConformanceCase("a name with an @ of another place is plain for the mailbox's owner") { f in
            let name = "bea@example.com"
            let others = f.makePerson(name, realm: "idp:acme")
            try expectEqual(await f.store.people.create(others, with: []), .created)
            try expectEqual(await f.shownName(of: others), "\(name)#acme")
            var owner = f.makePerson(name, realm: "idp:hub")
            owner.claims = f.makePerson("x", email: name).claims
            try expectEqual(await f.store.people.create(owner, with: []), .created)
            try expectEqual(await f.shownName(of: owner), name)
        },
        ConformanceCase("of many who come at once each is shown another name") { f in
            let people =
                (0..<20).map { f.makePerson("carl", realm: "idp:\($0)") }
                + [f.makePerson("carl")]
            let made = try await race(people.count) { racer in
                try await f.store.people.create(people[racer], with: [])
            }
            try expectEqual(made.count { $0 == .created }, people.count)
            var names: Set<String> = []
            for person in people { names.insert(try await f.shownName(of: person)) }
            try expectEqual(names.count, people.count)
            try expect(names.contains("carl"))
        },
    ]
}

extension StoreFixture {
    fileprivate func makePerson(_ username: String, realm: String) -> Person {
        var person = makePerson(username)
        person.realm = realm
        return person
    }

    fileprivate func shownName(of person: Person) async throws -> String {
        try await store.people.person(person.id)?.shownName ?? ""
    }
}
