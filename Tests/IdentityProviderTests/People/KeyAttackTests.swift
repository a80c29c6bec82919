// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

/// The provider's side of the list of attacks on security keys. Numbers are those of the list.
@Suite struct KeyAttackTests {
    @Test("Attack 1: a challenge lets in once, not after its time and nowhere else")
    func challengeReuse() async throws {
        let house = try await PeopleHouse()
        let (person, key) = try await house.keyHolder()
        let first = try await PasskeyOptions.signIn(in: house.context).get()
        #expect(try await house.answer(first, with: key, handle: person).code == nil)
        #expect(
            try await house.answer(first, with: key, handle: person).code == .ceremonyExpired)
        // A wrong answer is none: it writes nothing, and the right one still counts, once.
        let second = try await PasskeyOptions.signIn(in: house.context).get()
        var stranger = key
        stranger.origin = "https://evil.example"
        #expect(
            try await house.answer(second, with: stranger, handle: person).code == .passkeyRefused)
        #expect(
            try await house.answer(second, with: key, handle: person).code == nil)
        #expect(
            try await house.answer(second, with: key, handle: person).code == .ceremonyExpired)
        // After its time.
        let third = try await PasskeyOptions.signIn(in: house.context).get()
        house.clock.advance(by: .minutes(11))
        #expect(
            try await house.answer(third, with: key, handle: person).code == .ceremonyExpired)
        // In the other ceremony, both ways.
        let registration = try await house.options("bert").get()
        #expect(
            try await house.answer(registration, with: key, handle: person).code
                == .ceremonyExpired)
        let signIn = try await PasskeyOptions.signIn(in: house.context).get()
        #expect(
            try await house.register(try house.passkey(), signIn).code == .ceremonyExpired)
    }

    @Test("Attack 1: a challenge for one person serves no other")
    func challengeOfAnother() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member("anna")
        let bert = try await house.member("bert")
        let options = try await PasskeyOptions.add(for: anna, in: house.context).get()
        #expect(
            try await house.register(try house.passkey(), options, signedIn: bert).code
                == .signInNeeded)
    }

    @Test("Attack 2: a challenge of one's own making is none, in the body and in the client data")
    func inventedChallenge() async throws {
        let house = try await PeopleHouse()
        let (person, key) = try await house.keyHolder()
        let invented = Base64URL.encode([UInt8](repeating: 7, count: 32))
        #expect(
            try await house.signIn(key, of: person, ceremony: invented).code == .ceremonyExpired)
        let issued = try await PasskeyOptions.signIn(in: house.context).get()
        let text = try key.assertion(challenge: invented, userHandle: person.id.bytes)
        let outcome = try await CeremonyRunner(house.context).run(
            PasskeySignIn(ceremony: issued.ceremony, response: try house.json(text)))
        #expect(outcome.code == .passkeyRefused)
    }

    @Test("Attack 9: another person's key is refused for an identified person, known or not")
    func anothersKey() async throws {
        let house = try await PeopleHouse()
        let (mallory, key) = try await house.keyHolder("mallory")
        let anna = try await house.member("anna")
        _ = try await house.add(try house.securityKey(), for: anna)
        for name in ["anna", "nobody"] {
            let options = try await PasskeyOptions.signIn(named: name, in: house.context).get()
            for handle in [mallory, anna.person] {
                let outcome = try await house.answer(options, with: key, handle: handle)
                #expect(outcome.code == .passkeyRefused || outcome.code == .ceremonyExpired)
            }
        }
        let stepUp = try #require(
            try await PasskeyOptions.stepUp(
                for: anna, to: .phishingResistant, in: house.context))
        #expect(
            try await house.answer(stepUp, with: key, handle: mallory).code == .passkeyRefused)
        #expect(
            try await house.provider.store.sessions.sessions(of: mallory.id, now: house.clock.now)
                == [])
    }

    @Test("Attack 10: a user handle that is missing or another's is refused")
    func userHandle() async throws {
        let house = try await PeopleHouse()
        let (person, key) = try await house.keyHolder("anna")
        let (other, _) = try await house.keyHolder("bert")
        let wrong = try await PasskeyOptions.signIn(in: house.context).get()
        #expect(try await house.answer(wrong, with: key, handle: other).code == .passkeyRefused)
        let none = try await PasskeyOptions.signIn(in: house.context).get()
        var response = try house.json(
            try key.assertion(challenge: none.ceremony, userHandle: person.id.bytes)
        ).object
        var inner = response?["response"]?.object
        inner?["userHandle"] = nil
        response?["response"] = inner.map { .object($0) }
        let outcome = try await CeremonyRunner(house.context).run(
            PasskeySignIn(ceremony: none.ceremony, response: .object(response ?? JSONObject())))
        #expect(outcome.code == .passkeyRefused)
    }

    @Test("Attack 11: a key that was not among those asked for is refused")
    func notAllowed() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        _ = try await house.add(try house.securityKey(), for: anna)
        let options = try await PasskeyOptions.signIn(named: "anna", in: house.context).get()
        let later = try house.securityKey()
        _ = try await house.add(later, for: anna)
        #expect(
            try await house.answer(options, with: later, handle: anna.person).code
                == .passkeyRefused)
    }

    @Test("Attack 13: a registered credential id cannot be registered again, and keeps its key")
    func collision() async throws {
        let house = try await PeopleHouse()
        let (person, key) = try await house.keyHolder("anna")
        var copy = try house.passkey()
        copy.credentialID = key.credentialID
        #expect(
            try await house.register(copy, house.options("mallory").get()).code == .passkeyTaken)
        let bert = try await house.member("bert")
        let options = try await PasskeyOptions.add(for: bert, in: house.context).get()
        #expect(try await house.register(copy, options, signedIn: bert).code == .passkeyTaken)
        #expect(try await house.signIn(key, of: person).code == nil)
    }

    @Test("Attack 15: of two sign-ins that show the same count one wins", arguments: 0..<5)
    func counterRace(_ round: Int) async throws {
        let house = try await PeopleHouse()
        let (person, made) = try await house.keyHolder()
        var key = made
        key.signCount = 9
        let counted = key
        let ceremonies = [
            try await PasskeyOptions.signIn(in: house.context).get(),
            try await PasskeyOptions.signIn(in: house.context).get(),
        ]
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for ceremony in ceremonies {
                group.addTask {
                    try await house.answer(ceremony, with: counted, handle: person).code == nil
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
    }

    @Test(
        "Attack 29: the options do not reveal who has a key: stable ids of the usual form for all names"
    )
    func enumeration() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member("anna")
        let key = try house.securityKey()
        _ = try await house.add(key, for: anna)
        _ = try await house.member("bert")
        func allowed(_ name: String) async throws -> [JSONValue] {
            try await PasskeyOptions.signIn(named: name, in: house.context).get()
                .publicKey["allowCredentials"]?.array ?? []
        }
        #expect(
            try await allowed("ANNA").compactMap { $0["id"]?.string }
                == [Base64URL.encode(key.credentialID)])
        var seen: Set<String> = []
        // A person with a password only, and unknown people.
        for name in [
            "bert", "nobody", "nobody.else", "", "x\u{202E}y", String(repeating: "z", count: 900),
        ] {
            let first = try await allowed(name)
            #expect(try await allowed(name) == first)
            #expect((1...2).contains(first.count))
            for descriptor in first {
                let id = try #require(descriptor["id"]?.string.flatMap { Base64URL.decode($0) })
                #expect([16, 20, 32, 48, 64].contains(id.count))
                #expect(descriptor["type"]?.string == "public-key")
                #expect(descriptor["transports"]?.strings?.isEmpty == false)
                #expect(seen.insert(Base64URL.encode(id)).inserted, "\(name) shares an id")
            }
        }
        #expect(try await allowed(" Nobody ") == allowed("nobody"))
        // Another project has others.
        let other = house.context(of: try await house.neighbour())
        #expect(
            try await PasskeyOptions.signIn(named: "nobody", in: other).get()
                .publicKey["allowCredentials"]?.array != allowed("nobody"))
    }

    @Test("Attack 30: a key is added only with a recent sign-in, and the last credential stays")
    func freshness() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        house.clock.advance(by: .minutes(6))
        for kind in [PasskeyOptions.Kind.passkey, .securityKey] {
            #expect(
                try await PasskeyOptions.add(for: anna, kind: kind, in: house.context).code
                    == .freshSignInNeeded)
        }
        let (person, _) = try await house.keyHolder("berta")
        let only = try #require(
            try await house.provider.store.credentials.credentials(of: person.id).first)
        let berta = AuthenticatedSession(session: anna.session, person: person)
        #expect(
            try await AccountService(house.context, signedIn: berta)
                .reportLost(credential: only.id).code == .lastWayIn)
    }

    @Test("Attack 42: what a key or a client sends is in no audit event and no label")
    func injection() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member()
        var key = try house.securityKey()
        key.origin = "https://evil.example/\u{202E}\n{}"
        let options = try await PasskeyOptions.add(for: anna, in: house.context).get()
        _ = try await house.register(key, options, signedIn: anna)
        for event in try await house.events("credential.") {
            #expect(event.details == "{}")
            #expect(!"\(event)".contains("evil"))
        }
        let credential = try await house.add(try house.securityKey(), for: anna)
        let changes = AccountService(house.context, signedIn: anna)
        for label in [
            "a\u{202E}b", "a\u{0}b", "a\nb", "\u{2066}", String(repeating: "a", count: 65),
        ] {
            #expect(
                try await changes.rename(credential: credential.id, to: label).code
                    == .labelInvalid)
        }
    }

    @Test("Attack 43: one answer finished twice at once has one winner", arguments: 0..<5)
    func parallelFinish(_ round: Int) async throws {
        let house = try await PeopleHouse()
        let (person, key) = try await house.keyHolder()
        let signIn = try await PasskeyOptions.signIn(in: house.context).get()
        let fresh = try house.passkey()
        let options = try await house.options("bert").get()
        let (entered, made) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let entry = try await house.answer(signIn, with: key, handle: person)
                    let account = try await house.register(fresh, options)
                    return (entry.code == nil ? 1 : 0, account.code == nil ? 1 : 0)
                }
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
        #expect(entered == 1)
        #expect(made == 1)
    }
}
