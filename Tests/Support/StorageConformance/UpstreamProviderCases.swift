// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let upstreamProviders: [ConformanceCase] = [
        ConformanceCase("an upstream provider is kept under its name, and replaced by its id") {
            f in
            var acme = f.makeUpstream()
            try expect(await f.store.upstreamProviders.save(acme, now: f.now))
            try expect(await f.store.upstreamProviders.save(f.makeUpstream("abba"), now: f.now))
            acme.settings.createsPeople = true
            acme.sealedSecret = nil
            try expect(await f.store.upstreamProviders.save(acme, now: f.now))
            try expectEqual(
                await f.store.upstreamProviders.upstreamProvider(named: "acme", in: f.project.id),
                acme)
            try expectEqual(
                await f.store.upstreamProviders.upstreamProviders(of: f.project.id).map(\.name),
                ["abba", "acme"])
            try expectEqual(
                await f.store.upstreamProviders.upstreamProvider(named: "acme", in: f.identifier()),
                nil)
        },
        ConformanceCase("two upstream providers of one project cannot share a name") { f in
            let acme = f.makeUpstream()
            try expect(await f.store.upstreamProviders.save(acme, now: f.now))
            try expect(await !f.store.upstreamProviders.save(f.makeUpstream(), now: f.now))
            let other = try await StoreFixture(f.store)
            try expect(await other.store.upstreamProviders.save(other.makeUpstream(), now: f.now))
            try expectEqual(
                await f.store.upstreamProviders.upstreamProviders(of: f.project.id), [acme])
        },
        ConformanceCase("Attack 33: disabling a provider ends the sessions that rest on it") { f in
            let (acme, link) = try await f.linked()
            let (others, otherLink) = try await f.linked("abba")
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            let resting = f.makeSession(from: link, and: f.factor("hwk", with: key))
            let free = f.makeSession(factors: [f.factor("hwk", with: key)])
            let elsewhere = f.makeSession(from: otherLink)
            for session in [resting, free, elsewhere] {
                try await f.store.sessions.create(session, replacing: nil, now: f.now)
            }
            let dead = try await f.redeemedGrant(session: resting.id)
            let living = try await f.redeemedGrant(session: free.id)
            try await f.disable(acme)
            try expectEqual(
                Set(await f.store.sessions.sessions(of: f.person.id, now: f.now).map(\.id)),
                [free.id, elsewhere.id])
            try expectEqual(await f.rotate(dead.id, 1), .unknown)
            guard case .rotated = try await f.rotate(living.id, 1) else {
                throw ConformanceFailure(description: "a grant of a key is revoked")
            }
            try expect(await f.store.upstreamProviders.isVouchedFor(f.person.id))
            try await f.disable(others)
            try expect(await !f.store.upstreamProviders.isVouchedFor(f.person.id))
        },
        ConformanceCase("Attack 33: grants without a session end with their provider too") { f in
            let (acme, _) = try await f.linked()
            func grant(_ methods: String) async throws -> Grant {
                var grant = f.makeGrant()
                grant.authenticationMethods = methods
                let code = f.makeCode(grant)
                try await f.store.grants.save(code)
                _ = try await f.store.grants.redeemCode(hash: code.hash, generation: 1, now: f.now)
                return grant
            }
            let (vouched, own) = (try await grant("fed"), try await grant("pwd"))
            try await f.disable(acme)
            try expectEqual(await f.rotate(vouched.id, 1), .unknown)
            guard case .rotated = try await f.rotate(own.id, 1) else {
                throw ConformanceFailure(description: "a grant of a password is revoked")
            }
        },
        ConformanceCase("Attack 33: a code of a session that ended so is dead") { f in
            let (acme, link) = try await f.linked()
            let session = f.makeSession(from: link)
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            let code = f.makeCode(session: session.id)
            try await f.store.grants.save(code)
            try await f.disable(acme)
            try expectEqual(
                await f.store.grants.redeemCode(hash: code.hash, generation: 1, now: f.now),
                .expired)
        },
        ConformanceCase("Attack 33: apps of its people go on with their provider, and not without")
        {
            f in
            let acme = f.makeUpstream()
            try expect(await f.store.upstreamProviders.save(acme, now: f.now))
            func installed(realm: String) async throws -> NewRegistration {
                let name = "p-\(f.identifier() as Identifier<Client>)"
                let new = f.makeRegistration(name, realm: realm)
                _ = try await f.store.installations.register(
                    new, recording: f.makeEvent("registered"))
                var link = f.makeLink(to: acme)
                link.person = new.person.id
                try expect(await f.store.credentials.add(link))
                return new
            }
            func give(_ new: NewRegistration) async throws -> (Grant, ProvenGrantOutcome) {
                var grant = f.makeGrant()
                grant.person = new.person.id
                grant.installation = new.installation.id
                grant.generation = 1
                let outcome = try await f.store.installations.grant(
                    grant, using: [], credential: nil, recording: f.makeEvent("token"))
                return (grant, outcome)
            }
            let (brought, linked) = (
                try await installed(realm: "idp:acme"), try await installed(realm: "")
            )
            let (dead, living) = (try await give(brought), try await give(linked))
            try expectEqual(dead.1, .granted)
            try expectEqual(living.1, .granted)
            try await f.disable(acme)
            try expectEqual(await f.rotate(dead.0.id, 1), .unknown)
            guard case .rotated = try await f.rotate(living.0.id, 1) else {
                throw ConformanceFailure(description: "an app of a local person ended")
            }
            try expectEqual(await give(brought).1, .notStanding)
            try expectEqual(await give(linked).1, .granted)
            try expect(await f.store.upstreamProviders.save(acme, now: f.now))
            try expectEqual(await give(brought).1, .granted)
        },
        ConformanceCase("a session cannot begin on the word of a disabled provider") { f in
            let (acme, link) = try await f.linked()
            try await f.disable(acme)
            do {
                try await f.store.sessions.create(
                    f.makeSession(from: link), replacing: nil, now: f.now)
                throw ConformanceFailure(description: "a session began")
            } catch let error as StorageError {
                try expectEqual(error.code, .missingParent)
            }
        },
        ConformanceCase("Attack 33: of sessions that begin while it is disabled none is left") {
            f in
            let (acme, link) = try await f.linked()
            let began = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        if number == 15 {
                            try await f.disable(acme)
                            return false
                        }
                        return try await f.begins(f.makeSession(from: link))
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expect(began < 30)
            try expectEqual(await f.store.sessions.sessions(of: f.person.id, now: f.now), [])
        },
        ConformanceCase("a provider's session ends those that rest on it, with their grants") { f in
            let (_, link) = try await f.linked()
            let name = f.bytes()
            func session(_ upstream: [UInt8]?) async throws -> Session {
                var session = f.makeSession(from: link)
                session.restsOn = upstream
                return try await f.store.sessions.create(
                    session, replacing: nil, carryingSince: nil, now: f.now)
            }
            let (meant, other) = (try await session(name), try await session(f.bytes()))
            let grant = try await f.redeemedGrant(session: meant.id)
            try expectEqual(
                await f.store.upstreamProviders.endSessions(
                    restingOn: name, of: f.identifier(), now: f.now), [])
            try expectEqual(
                await f.store.upstreamProviders.endSessions(
                    restingOn: name, of: f.project.id, now: f.now),
                [f.person.id])
            try expectEqual(
                await f.store.sessions.sessions(of: f.person.id, now: f.now).map(\.id), [other.id])
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
        },
        ConformanceCase("sessions that rest on a link end with it, or those without a name alone") {
            f in
            let (_, link) = try await f.linked()
            var named = f.makeSession(from: link)
            named.restsOn = f.bytes()
            let unnamed = f.makeSession(from: link)
            let free = f.makeSession(factors: [f.factor("pwd")])
            for session in [named, unnamed, free] {
                try await f.store.sessions.create(session, replacing: nil, now: f.now)
            }
            let grant = try await f.redeemedGrant(session: unnamed.id)
            func end(unnamedOnly: Bool) async throws -> Int {
                try await f.store.upstreamProviders.endSessions(
                    vouchedBy: link.id, of: f.person.id, unnamedOnly: unnamedOnly, now: f.now)
            }
            try expectEqual(await end(unnamedOnly: true), 1)
            try expectEqual(await f.rotate(grant.id, 1), .unknown)
            try expectEqual(await end(unnamedOnly: false), 1)
            try expectEqual(await end(unnamedOnly: false), 0)
            try expectEqual(
                await f.store.sessions.sessions(of: f.person.id, now: f.now).map(\.id), [free.id])
        },
        ConformanceCase("the provider's session is copied while its factor is valid") { f in
            let (_, link) = try await f.linked()
            var old = f.makeSession(from: link)
            old.restsOn = f.bytes()
            try await f.store.sessions.create(old, replacing: nil, now: f.now)
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            let carried = try await f.replaced(old, by: key)
            try expectEqual(carried.restsOn, old.restsOn)
            try expectEqual(
                await f.store.sessions.session(carried.id, now: f.now)?.restsOn,
                old.restsOn)
            _ = try await f.store.credentials.remove(credential: link.id, of: f.person.id)
            try expectEqual(await f.replaced(carried, by: key).restsOn, nil)
        },
        ConformanceCase("only the factors of enabled providers are copied from an older session") {
            f in
            let (_, link) = try await f.linked()
            let old = f.makeSession(from: link)
            try await f.store.sessions.create(old, replacing: nil, now: f.now)
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            let carried = try await f.replaced(old, by: key)
            try expectEqual(Set(carried.factors.flatMap(\.methods)), ["fed", "hwk"])
            _ = try await f.store.credentials.remove(credential: link.id, of: f.person.id)
            try expectEqual(await f.replaced(carried, by: key).factors.flatMap(\.methods), ["hwk"])
        },
        ConformanceCase("a federated identity is a sign-in method, and never removed as the last") {
            f in
            let (_, link) = try await f.linked()
            try expectEqual(
                await f.store.credentials.remove(credential: link.id, of: f.person.id), .lastWayIn)
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            try expectEqual(
                await f.store.credentials.remove(credential: key.id, of: f.person.id), .removed(key)
            )
            _ = try await f.store.credentials.add(key)
            try expectEqual(
                await f.store.credentials.remove(credential: link.id, of: f.person.id),
                .removed(link))
            try expectEqual(
                await f.store.credentials.remove(credential: key.id, of: f.person.id), .lastWayIn)
        },
        ConformanceCase("a federated identity of a link-only provider is not a sign-in method") {
            f in
            let (acme, _) = try await f.linked()
            var linkOnly = f.makeUpstream("linked")
            linkOnly.settings.linkOnly = true
            _ = try await f.store.upstreamProviders.save(linkOnly, now: f.now)
            _ = try await f.store.credentials.add(f.makeLink(to: linkOnly))
            let key = f.makeCredential()
            _ = try await f.store.credentials.add(key)
            try await f.disable(acme)
            try expectEqual(
                await f.store.credentials.remove(credential: key.id, of: f.person.id), .lastWayIn)
        },
        ConformanceCase("a provider that is removed takes its links and sessions along") { f in
            let (acme, link) = try await f.linked()
            let session = f.makeSession(from: link)
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            try expectEqual(
                await f.store.upstreamProviders.remove(
                    upstreamProvider: acme.id, of: f.identifier(), now: f.now),
                nil)
            var gone = acme
            gone.isEnabled = false
            try expectEqual(
                await f.store.upstreamProviders.remove(
                    upstreamProvider: acme.id, of: f.project.id, now: f.now),
                gone)
            try expectEqual(await f.store.credentials.credentials(of: f.person.id), [])
            try expectEqual(await f.store.sessions.sessions(of: f.person.id, now: f.now), [])
        },
    ]
}

extension StoreFixture {
    fileprivate func linked(
        _ name: String = "acme"
    ) async throws -> (UpstreamProvider, Credential) {
        let provider = makeUpstream(name)
        let link = makeLink(to: provider)
        guard try await store.upstreamProviders.save(provider, now: now),
            try await store.credentials.add(link)
        else {
            throw ConformanceFailure(description: "the link could not be made")
        }
        return (provider, link)
    }

    /// Replaces an older session by one with that key.
    fileprivate func replaced(_ older: Session, by key: Credential) async throws -> Session {
        try await store.sessions.create(
            makeSession(factors: [factor("hwk", with: key)]), replacing: older.id,
            carryingSince: now - .hours(1), now: now)
    }

    /// Whether the session can be inserted.
    fileprivate func begins(_ session: Session) async throws -> Bool {
        do {
            try await store.sessions.create(session, replacing: nil, now: now)
            return true
        } catch let error as StorageError where error.code == .missingParent {
            return false
        }
    }

    fileprivate func disable(_ provider: UpstreamProvider) async throws {
        var provider = provider
        provider.isEnabled = false
        try expect(await store.upstreamProviders.save(provider, now: now))
    }
}
