// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let people: [ConformanceCase] = [
        ConformanceCase("a person is found by id, by user name and by verified e-mail") { f in
            var person = f.makePerson("bea", email: "Bea@Example.com")
            person.claims.name = "Bea Großmann 🦊"
            person.claims.groups = ["staff"]
            try expectEqual(await f.store.people.create(person, with: []), .created)
            try expectEqual(await f.store.people.person(person.id), person)
            let project = f.project.id
            try expectEqual(await f.store.people.person(username: "bea", in: project), person)
            let found = try await f.store.people.person(
                verifiedEmail: "bea@example.com", in: project)
            try expectEqual(found, person)
        },
        ConformanceCase("people of other projects, and unknown ones, are not found") { f in
            let other = try await StoreFixture(f.store)
            try expectEqual(await f.store.people.person(f.identifier()), nil)
            try expectEqual(await f.store.people.person(username: "nobody", in: f.project.id), nil)
            try expectEqual(
                await f.store.people.person(username: "anna", in: other.project.id), other.person)
            let nobody = try await f.store.people.person(
                verifiedEmail: "a@example.com", in: f.project.id)
            try expectEqual(nobody, nil)
        },
        ConformanceCase("an unverified email address does not find a person") { f in
            var person = f.makePerson("bea", email: "bea@example.com")
            person.claims.emailVerified = false
            _ = try await f.store.people.create(person, with: [])
            let found = try await f.store.people.person(
                verifiedEmail: "bea@example.com", in: f.project.id)
            try expectEqual(found, nil)
        },
        ConformanceCase("an email address that two people have verified does not find a person") {
            f in
            for name in ["bea", "ben"] {
                _ = try await f.store.people.create(
                    f.makePerson(name, email: "both@example.com"), with: [])
            }
            let found = try await f.store.people.person(
                verifiedEmail: "both@example.com", in: f.project.id)
            try expectEqual(found, nil)
        },
        ConformanceCase("a user name is given once in a project") { f in
            try expectEqual(
                await f.store.people.create(f.makePerson("anna"), with: []), .usernameTaken)
        },
        ConformanceCase("a credential that is taken leaves no person behind") { f in
            let credential = f.makeCredential()
            try expect(await f.store.credentials.add(credential))
            let person = f.makePerson("bea")
            var copy = f.makeCredential()
            copy.person = person.id
            copy.externalID = credential.externalID
            try expectEqual(await f.store.people.create(person, with: [copy]), .credentialTaken)
            try expectEqual(await f.store.people.person(person.id), nil)
        },
        ConformanceCase("a person consumes the one-time identifier, and only with success") { f in
            let mark = OneTimeIdentifier(.registrationTicket, key: f.bytes(16))
            let use = OneTimeUse(mark, until: f.now + .hours(1))
            let credential = f.makeCredential()
            try expect(await f.store.credentials.add(credential))
            let person = f.makePerson("bea")
            var copy = f.makeCredential()
            copy.person = person.id
            copy.externalID = credential.externalID
            for (other, credentials, outcome) in [
                (person, [copy], CreateOutcome.credentialTaken),
                (f.makePerson("anna"), [], .usernameTaken),
            ] {
                try expectEqual(
                    await f.store.people.create(other, with: credentials, using: use), outcome)
                try expect(await !f.store.challenges.isUsed(mark))
            }
            try expectEqual(await f.store.people.create(person, with: [], using: use), .created)
            try expect(await f.store.challenges.isUsed(mark))
            try await f.store.people.remove(person: person.id)
            let carl = f.makePerson("carl")
            try expectEqual(await f.store.people.create(carl, with: [], using: use), .usernameTaken)
            try expectEqual(await f.store.people.person(carl.id), nil)
        },
        ConformanceCase("a person is made with all first credentials") { f in
            let person = f.makePerson("bea")
            let credentials = (0..<3).map { _ in
                var credential = f.makeCredential(.recoveryCode)
                credential.person = person.id
                return credential
            }
            try expectEqual(await f.store.people.create(person, with: credentials), .created)
            try expectEqual(
                await f.store.credentials.credentials(of: person.id).map(\.id),
                credentials.map(\.id).sorted())
        },
        ConformanceCase("people are found by how their name begins, page by page") { f in
            for name in ["an", "annabel", "annabell", "ann\u{E9}", "bea", "ANNA", "a_n"] {
                _ = try await f.store.people.create(f.makePerson(name), with: [])
            }
            func find(_ prefix: String, after last: String? = nil) async throws -> [String] {
                try await f.store.people.people(
                    of: f.project.id, startingWith: prefix, after: last, limit: 3
                ).map(\.username)
            }
            try expectEqual(await find("ann"), ["anna", "annabel", "annabell"])
            try expectEqual(await find("ann", after: "annabell"), ["ann\u{E9}"])
            try expectEqual(await find("ann", after: "b"), [])
            // The search text is not a pattern: characters have no special meaning.
            try expectEqual(await find("a_"), ["a_n"])
            try expectEqual(await find("%"), [])
            try expectEqual(await find("").first, "ANNA")
            let nobody = try await f.store.people.people(
                of: f.identifier(), startingWith: "", after: nil, limit: 3)
            try expectEqual(nobody, [])
        },
        ConformanceCase("the names of many people are found at once") { f in
            var wanted: [Identifier<Person>: String] = [f.person.id: "anna"]
            for number in 0..<60 {
                let person = f.makePerson("p\(number)")
                _ = try await f.store.people.create(person, with: [])
                if number != 7 { wanted[person.id] = person.username }
            }
            let stranger: Identifier<Person> = f.identifier()
            let names = try await f.store.people.usernames(of: Set(wanted.keys).union([stranger]))
            try expectEqual(names, wanted)
            try expectEqual(await f.store.people.usernames(of: [stranger]), [:])
            try expectEqual(await f.store.people.usernames(of: []), [:])
        },
        ConformanceCase("people are listed in order of user name, page by page") { f in
            for name in ["zoe", "bea", "Émile", "carl"] {
                _ = try await f.store.people.create(f.makePerson(name), with: [])
            }
            let first = try await f.store.people.people(of: f.project.id, after: nil, limit: 2)
            try expectEqual(first.map(\.username), ["anna", "bea"])
            let rest = try await f.store.people.people(of: f.project.id, after: "bea", limit: 9)
            try expectEqual(rest.map(\.username), ["carl", "zoe", "Émile"])
        },
        ConformanceCase("a change replaces claims") { f in
            var person = f.makePerson("bea")
            _ = try await f.store.people.create(person, with: [])
            person.claims.email = "beate@example.com"
            person.claims.emailVerified = true
            try expect(await f.store.people.update(person, now: f.now))
            let found = try await f.store.people.person(
                verifiedEmail: "beate@example.com", in: f.project.id)
            try expectEqual(found, person)
            let unknown = try await f.store.people.change(
                person: f.identifier(), now: f.now, always { $0.disabled = true })
            try expectEqual(unknown, .unknown)
        },
        ConformanceCase("disabling a person ends sessions, grants and codes at once") { f in
            let session = f.makeSession()
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            let grant = try await f.redeemedGrant()
            let code = f.makeCode()
            try await f.store.grants.save(code)
            var person = f.person
            person.disabled = true
            try expect(await f.store.people.update(person, now: f.now))
            try expectEqual(await f.store.sessions.session(session.id, now: f.now), nil)
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
            try expectEqual(
                await f.store.tokenStates.tokenState(jti: [1], grant: grant.id, now: f.now),
                .revoked)
            let redeemed = try await f.store.grants.redeemCode(
                hash: code.hash, generation: 1, now: f.now)
            try expectEqual(redeemed, .expired)
        },
        ConformanceCase("a disabled person gets no session, and no code that works") { f in
            var person = f.person
            person.disabled = true
            _ = try await f.store.people.update(person, now: f.now)
            try await expectFailure {
                try await f.store.sessions.create(f.makeSession(), replacing: nil, now: f.now)
            }
            let code = f.makeCode()
            try await f.store.grants.save(code)
            try expectEqual(
                await f.store.grants.redeemCode(hash: code.hash, generation: 1, now: f.now),
                .expired)
        },
        ConformanceCase("removing a person removes all that is bound to them") { f in
            let session = f.makeSession()
            let credential = f.makeCredential()
            _ = try await f.store.credentials.add(credential)
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            let grant = try await f.redeemedGrant()
            try await f.store.people.remove(person: f.person.id)
            try expectEqual(await f.store.people.person(f.person.id), nil)
            try expectEqual(await f.store.credentials.credentials(of: f.person.id), [])
            try expectEqual(await f.store.sessions.session(session.id, now: f.now), nil)
            try expectEqual(await f.store.grants.grant(grant.id), nil)
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
        },
    ]
}
