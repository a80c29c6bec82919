// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    /// The apps of people in disabled realms cannot sign in (attack 33).
    static let silentRealms: [ConformanceCase] = [
        ConformanceCase("Attack 33: apps of a disabled or deleted service are refused") {
            f in
            try await f.serve([f.service("bank"), f.service("badge")])
            let (bank, badge) = (
                try await f.installed("urn:gatehouse:identity-provider:bank"),
                try await f.installed("urn:gatehouse:identity-provider:badge")
            )
            let own = try await f.installed("")
            for change in [
                [f.service("bank", enabled: false), f.service("badge")], [f.service("badge")],
            ] {
                try await f.serve([f.service("bank"), f.service("badge")])
                let grants = (
                    try await f.give(bank), try await f.give(badge), try await f.give(own)
                )
                try expectEqual(
                    [grants.0.1, grants.1.1, grants.2.1], [.granted, .granted, .granted])
                try await f.serve(change)
                try expectEqual(await f.rotate(grants.0.0.id, 1), .unknown)
                let state = try await f.store.tokenStates.tokenState(
                    jti: f.bytes(16), grant: grants.0.0.id, now: f.now)
                try expectEqual(state, .revoked)
                try expectEqual(await f.give(bank).1, .notStanding)
                for living in [grants.1.0, grants.2.0] {
                    guard case .rotated = try await f.rotate(living.id, 1) else {
                        throw ConformanceFailure(description: "another person's app ended")
                    }
                }
                try expectEqual(await f.give(badge).1, .granted)
                try expectEqual(await f.give(own).1, .granted)
            }
            try await f.serve([f.service("bank"), f.service("badge")])
            try expectEqual(await f.give(bank).1, .granted)
        },
        ConformanceCase("Attack 33: an issuer counts as long as it has a key") { f in
            let keys = ["k1", "k2"].map { f.makeIssuerKey("https://idp.example", kid: $0) }
            let other = f.makeIssuerKey("https://idp.example/other")
            for key in keys + [other] { try expect(await f.store.issuerKeys.save(key)) }
            let (new, neighbour) = (
                try await f.installed("https://idp.example"),
                try await f.installed("https://idp.example/other")
            )
            let given = try await f.give(new).0
            _ = try await f.store.issuerKeys.remove(issuerKey: keys[0].id, of: f.project.id)
            try expectEqual(await f.give(new).1, .granted)
            _ = try await f.store.issuerKeys.remove(issuerKey: keys[1].id, of: f.project.id)
            try expectEqual(await f.give(new).1, .notStanding)
            // Nor with a passkey of theirs, which belongs to no installation.
            try expectEqual(await f.give(new, toPersonAlone: true).1, .notStanding)
            try expectEqual(await f.rotate(given.id, 1), .unknown)
            try expectEqual(await f.give(neighbour).1, .granted)
            // Changes of the project's settings say nothing of issuers.
            try await f.serve([])
            try expectEqual(await f.give(new).1, .notStanding)
            try expect(await f.store.issuerKeys.save(keys[0]))
            try expectEqual(await f.give(new).1, .granted)
        },
        ConformanceCase("Attack 33: a key that is given to another issuer leaves its own without") {
            f in
            var key = f.makeIssuerKey("https://idp.example")
            try expect(await f.store.issuerKeys.save(key))
            let new = try await f.installed("https://idp.example")
            key.issuer = "https://other.example"
            try expect(await f.store.issuerKeys.save(key))
            try expectEqual(await f.give(new).1, .notStanding)
        },
        ConformanceCase("Attack 33: the last two keys deleted at one moment disable the realm") {
            f in
            let keys = ["k1", "k2"].map { f.makeIssuerKey("https://idp.example", kid: $0) }
            for key in keys { try expect(await f.store.issuerKeys.save(key)) }
            let new = try await f.installed("https://idp.example")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for key in keys {
                    group.addTask {
                        _ = try await f.store.issuerKeys.remove(issuerKey: key.id, of: f.project.id)
                    }
                }
                try await group.waitForAll()
            }
            try expectEqual(await f.give(new).1, .notStanding)
        },
        ConformanceCase("people of test keys can sign in where those are accepted") { f in
            let (tester, own) = (
                try await f.installed("testRegisterIssuer", origin: "testKey"),
                try await f.installed("")
            )
            try expectEqual(
                await f.store.installations.countPeople(of: f.project.id, origin: "testKey"), 1)
            try expectEqual(
                await f.store.installations.countPeople(of: f.identifier(), origin: "testKey"), 0)
            let given = try await f.give(tester).0
            try await f.change { $0.environment = .production }
            try expectEqual(await f.give(tester).1, .notStanding)
            try expectEqual(await f.rotate(given.id, 1), .unknown)
            try expectEqual(await f.give(own).1, .granted)
            try await f.change { $0.policy.registration.testKeysInProduction = true }
            try expectEqual(await f.give(tester).1, .granted)
            try await f.change { $0.policy.registration.testKeysInProduction = false }
            try expectEqual(await f.give(tester).1, .notStanding)
            try await f.change { $0.environment = .development }
            try expectEqual(await f.give(tester).1, .granted)
        },
        ConformanceCase("a project that starts in production accepts no test keys") { f in
            let project = Project(
                id: f.identifier(), name: "p-\(f.identifier() as Identifier<Project>)",
                environment: .production, createdAt: f.now)
            try expect(await f.store.projects.save(project))
            var new = f.makeRegistration(realm: "testRegisterIssuer")
            new.person.project = project.id
            new.installation.project = project.id
            for index in new.credentials.indices { new.credentials[index].project = project.id }
            _ = try await f.store.installations.register(new, recording: f.makeEvent("registered"))
            try expectEqual(await f.give(new).1, .notStanding)
        },
        ConformanceCase("Attack 33: their browsers' sessions end, and none is made; others' stay") {
            f in
            try await f.serve([f.service("bank")])
            let new = try await f.installed("urn:gatehouse:identity-provider:bank")
            let other = try await f.installed("https://idp.example/other")
            func session(
                _ person: Person, restsOn: [UInt8]? = nil
            ) async throws -> Identifier<Session>? {
                var session = f.makeSession(factors: [f.factor("hwk")])
                session.person = person.id
                session.restsOn = restsOn
                do {
                    return try await f.store.sessions.create(
                        session, replacing: nil, carryingSince: nil, now: f.now
                    ).id
                } catch let error as StorageError where error.code == .missingParent { return nil }
            }
            func living(_ person: Person) async throws -> [Identifier<Session>] {
                try await f.store.sessions.sessions(of: person.id, now: f.now).map(\.id)
            }
            // A passkey of theirs is their own, and the word behind it still another's.
            _ = try await session(new.person)
            _ = try await session(new.person, restsOn: new.installation.id.bytes)
            let kept = [try await session(f.person), try await session(other.person)]
            try expectEqual(await living(new.person).count, 2)
            try await f.serve([])
            try expectEqual(await living(new.person), [])
            try expectEqual(await session(new.person), nil)
            try expectEqual(await living(f.person) + living(other.person), kept.compactMap(\.self))
            try await f.serve([f.service("bank")])
            try expect(await session(new.person) != nil)
        },
        ConformanceCase("Attack 33: of browsers that sign in while it is switched off none stays") {
            f in
            try await f.serve([f.service("bank")])
            let new = try await f.installed("urn:gatehouse:identity-provider:bank")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        if number == 15 { return try await f.serve([]) }
                        var session = f.makeSession(factors: [f.factor("hwk")])
                        session.person = new.person.id
                        do {
                            try await f.store.sessions.create(session, replacing: nil, now: f.now)
                        } catch let error as StorageError where error.code == .missingParent {}
                    }
                }
                try await group.waitForAll()
            }
            try expectEqual(await f.store.sessions.sessions(of: new.person.id, now: f.now), [])
        },
        ConformanceCase("who is also known at a provider that counts goes on with that") { f in
            try await f.serve([f.service("bank")])
            let new = try await f.installed("urn:gatehouse:identity-provider:bank")
            let acme = f.makeUpstream()
            try expect(await f.store.upstreamProviders.save(acme, now: f.now))
            var link = f.makeLink(to: acme)
            link.person = new.person.id
            try expect(await f.store.credentials.add(link))
            try await f.serve([])
            let (kept, outcome) = try await f.give(new)
            try expectEqual(outcome, .granted)
            var disabled = acme
            disabled.isEnabled = false
            try expect(await f.store.upstreamProviders.save(disabled, now: f.now))
            try expectEqual(await f.give(new).1, .notStanding)
            try expectEqual(await f.rotate(kept.id, 1), .unknown)
        },
        ConformanceCase("a name is not taken for a realm, nor one realm for another") { f in
            try expect(await f.store.issuerKeys.save(f.makeIssuerKey("anna")))
            try expect(await f.store.issuerKeys.save(f.makeIssuerKey("100%_sure")))
            for key in try await f.store.issuerKeys.issuerKeys(of: f.project.id, kind: .federation)
            {
                _ = try await f.store.issuerKeys.remove(issuerKey: key.id, of: f.project.id)
            }
            // The project's own anna, and issuers whose names only resemble deleted ones.
            for (name, realm) in [
                ("anna", ""), ("a", "hanna"), ("b", "100 are sure"), ("c", "ann"),
            ] {
                let new =
                    realm.isEmpty
                    ? try await f.installed(realm)
                    : try await f.installed(realm, named: name)
                try expectEqual(await f.give(new).1, .granted)
            }
            var anna = f.makeGrant()
            anna.generation = 1
            let outcome = try await f.store.installations.grant(
                anna, using: [], credential: nil, recording: f.makeEvent("token"))
            try expectEqual(outcome, .granted)
        },
        ConformanceCase("Attack 33: of apps that sign in while it is switched off none goes on") {
            f in
            try await f.serve([f.service("bank")])
            let new = try await f.installed("urn:gatehouse:identity-provider:bank")
            let grants = try await withThrowingTaskGroup(of: Grant?.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        if number == 15 {
                            try await f.serve([])
                            return nil
                        }
                        let (grant, outcome) = try await f.give(new)
                        return outcome == .granted ? grant : nil
                    }
                }
                return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            for grant in grants { try expectEqual(await f.rotate(grant.id, 1), .unknown) }
            try expectEqual(await f.give(new).1, .notStanding)
        },
    ]
}

extension StoreFixture {
    fileprivate func service(_ id: String, enabled: Bool = true) -> CustomProviderSettings {
        var rules = CustomProviderSettings()
        rules.id = id
        rules.enabled = enabled
        return rules
    }

    fileprivate func serve(_ services: [CustomProviderSettings]) async throws {
        try await change { $0.policy.registration.identityProviders = services }
    }

    fileprivate func change(_ edit: @escaping @Sendable (inout Project) -> Void) async throws {
        guard try await store.projects.change(project: project.id, always(edit)).isKept else {
            throw ConformanceFailure(description: "the project could not be changed")
        }
    }

    /// Registers a person of that realm with an app.
    fileprivate func installed(
        _ realm: String, named name: String? = nil, origin: String = "signedJWT"
    ) async throws -> NewRegistration {
        var new = makeRegistration(name ?? "p-\(identifier() as Identifier<Client>)", realm: realm)
        new.person.origin = origin
        let outcome = try await store.installations.register(
            new, recording: makeEvent("registered"))
        guard outcome == .registered else {
            throw ConformanceFailure(description: "a registration was \(outcome)")
        }
        return new
    }

    fileprivate func give(
        _ new: NewRegistration, toPersonAlone: Bool = false
    ) async throws -> (Grant, ProvenGrantOutcome) {
        var grant = makeGrant()
        grant.person = new.person.id
        grant.installation = toPersonAlone ? nil : new.installation.id
        grant.generation = 1
        let outcome = try await store.installations.grant(
            grant, using: [], credential: nil, recording: makeEvent("token"))
        return (grant, outcome)
    }
}
