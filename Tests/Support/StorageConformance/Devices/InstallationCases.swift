// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension StoreFixture {
    fileprivate func registered() async throws -> NewRegistration {
        let new = makeRegistration("p-\(identifier() as Identifier<Person>)")
        let outcome = try await store.installations.register(
            new, recording: makeEvent("registration"))
        guard outcome == .registered else {
            throw ConformanceFailure(description: "a registration was \(outcome)")
        }
        return new
    }

    fileprivate func grant(to new: NewRegistration) -> Grant {
        var grant = makeGrant()
        grant.person = new.person.id
        grant.installation = new.installation.id
        grant.generation = 1
        return grant
    }

    fileprivate func authenticator(of new: NewRegistration) -> Credential {
        Credential(
            id: identifier(), project: project.id, person: new.person.id, kind: .signInKey,
            externalID: bytes(), createdAt: now, installation: new.installation.id)
    }

    fileprivate func add(
        _ authenticator: Credential, _ use: OneTimeUse? = nil
    ) async throws -> AddAuthenticatorOutcome {
        try await store.installations.add(
            authenticator: authenticator, using: use ?? self.use(),
            recording: makeEvent("authenticator.added"))
    }

    fileprivate func use() -> OneTimeUse {
        OneTimeUse(OneTimeIdentifier(.nonce, key: bytes()), until: now + .minutes(5))
    }

    fileprivate func give(
        _ grant: Grant, _ use: OneTimeUse? = nil
    ) async throws
        -> ProvenGrantOutcome
    {
        try await store.installations.grant(
            grant, using: [use ?? self.use()], credential: nil,
            recording: makeEvent("token.assertion"))
    }

    fileprivate func events(_ action: String) async throws -> Int {
        var filter = AuditFilter()
        filter.project = project.id
        filter.action = action
        return try await store.auditLog.auditEvents(filter, before: nil, limit: 100).count
    }
}

extension ConformanceCase {
    static let installations: [ConformanceCase] = [
        ConformanceCase("a proven grant is active, rotates and updates the use of its key") { f in
            let new = try await f.registered()
            let grant = f.grant(to: new)
            let outcome = try await f.store.installations.grant(
                grant, using: [f.use()], credential: new.credentials[0].id,
                recording: f.makeEvent("token.assertion"))
            try expectEqual(outcome, .granted)
            try expectEqual(await f.store.grants.grant(grant.id), grant)
            let state = try await f.store.tokenStates.tokenState(
                jti: f.bytes(16), grant: grant.id, now: f.now)
            try expectEqual(state, .active)
            let key = try await f.store.credentials.credentials(of: new.person.id)
                .first { $0.kind == .signInKey }
            try expectEqual(key?.lastUsedAt, grant.createdAt)
            guard case .rotated = try await f.rotate(grant.id, 1) else {
                throw ConformanceFailure(description: "did not rotate")
            }
            try expectEqual(await f.events("token.assertion"), 1)
        },
        ConformanceCase("a nonce gives one grant") { f in
            let new = try await f.registered()
            let use = f.use()
            try expectEqual(await f.give(f.grant(to: new), use), .granted)
            try expectEqual(await f.give(f.grant(to: new), use), .used(.nonce))
            try expectEqual(await f.store.grants.grants(of: new.person.id, now: f.now).count, 1)
            try expectEqual(await f.events("token.assertion"), 1)
        },
        ConformanceCase("a disabled or deleted person gets no grant, and consumes nothing") { f in
            let new = try await f.registered()
            let use = f.use()
            var person = new.person
            person.disabled = true
            _ = try await f.store.people.update(person, now: f.now)
            try expectEqual(await f.give(f.grant(to: new), use), .notStanding)
            person.disabled = false
            _ = try await f.store.people.update(person, now: f.now)
            var stranger = f.grant(to: new)
            stranger.installation = f.identifier()
            try expectEqual(await f.give(stranger, use), .notStanding)
            let other = try await f.registered()
            stranger.installation = other.installation.id
            try expectEqual(await f.give(stranger, use), .notStanding)
            stranger.installation = nil
            stranger.person = f.identifier()
            try expectEqual(await f.give(stranger, use), .notStanding)
            var client = f.client
            client.disabled = true
            _ = try await f.store.clients.save(client, now: f.now)
            try expectEqual(await f.give(f.grant(to: new), use), .notStanding)
            client.disabled = false
            _ = try await f.store.clients.save(client, now: f.now)
            try expectEqual(await f.give(f.grant(to: new), use), .granted)
        },
        ConformanceCase("removing an installation ends its key and its grants, no others") { f in
            let new = try await f.registered()
            let (bound, free) = (f.grant(to: new), f.grant(to: new))
            var unbound = free
            unbound.installation = nil
            _ = try await f.give(bound)
            _ = try await f.give(unbound)
            func remove(_ person: Identifier<Person>) async throws -> Bool {
                try await f.store.installations.remove(
                    installation: new.installation.id, of: person, now: f.now,
                    recording: f.makeEvent("installation.removed"))
            }
            try expect(await !remove(f.person.id))
            try expect(await remove(new.person.id))
            try expect(await !remove(new.person.id))
            try expectEqual(await f.store.grants.grants(of: new.person.id, now: f.now), [unbound])
            try expectEqual(
                await f.store.credentials.credentials(of: new.person.id).map(\.kind),
                [.federatedIdentity])
            try expectEqual(await f.store.installations.installations(of: new.person.id), [])
            try expectEqual(await f.events("installation.removed"), 1)
            try expectEqual(await f.give(f.grant(to: new)), .notStanding)
            // What was registered may be registered again.
            var again = f.makeRegistration("again")
            again.installation.registrationID = new.installation.registrationID
            try expectEqual(
                await f.store.installations.register(again, recording: f.makeEvent("registration")),
                .registered)
        },
        ConformanceCase("an authenticator is added once, to an existing installation") { f in
            let new = try await f.registered()
            let authenticator = f.authenticator(of: new)
            let use = f.use()
            try expectEqual(await f.add(authenticator, use), .added)
            var next = f.authenticator(of: new)
            try expectEqual(await f.add(next, use), .used)
            next.externalID = authenticator.externalID
            try expectEqual(await f.add(next), .taken)
            var stranger = f.authenticator(of: new)
            stranger.person = f.person.id
            try expectEqual(await f.add(stranger), .notStanding)
            stranger = f.authenticator(of: new)
            stranger.installation = f.identifier()
            try expectEqual(await f.add(stranger), .notStanding)
            stranger.installation = nil
            try expectEqual(await f.add(stranger), .notStanding)
            let kept = try await f.store.credentials.credentials(of: new.person.id)
            try expectEqual(kept.filter { $0.installation != nil }, [authenticator])
            try expectEqual(await f.events("authenticator.added"), 1)
        },
        ConformanceCase("an authenticator is removed by its installation, or with it") { f in
            let (new, other) = (try await f.registered(), try await f.registered())
            let (first, second) = (f.authenticator(of: new), f.authenticator(of: new))
            let foreign = f.authenticator(of: other)
            for authenticator in [first, second, foreign] {
                try expectEqual(await f.add(authenticator), .added)
            }
            func remove(_ id: Identifier<Credential>) async throws -> Bool {
                try await f.store.installations.remove(
                    authenticator: id, of: new.installation.id,
                    recording: f.makeEvent("authenticator.removed"))
            }
            try expect(await !remove(foreign.id))
            try expect(await remove(first.id))
            try expect(await !remove(first.id))
            // Nor can the installation's own key be removed that way.
            for credential in try await f.store.credentials.credentials(of: new.person.id)
            where credential.installation == nil {
                try expect(await !remove(credential.id))
            }
            try expectEqual(await f.events("authenticator.removed"), 1)
            _ = try await f.store.installations.remove(
                installation: new.installation.id, of: new.person.id, now: f.now,
                recording: f.makeEvent("installation.removed"))
            let left = try await f.store.credentials.credentials(of: new.person.id)
            try expectEqual(left.filter { $0.installation != nil }, [])
            try expectEqual(
                await f.store.credentials.credentials(of: other.person.id)
                    .filter { $0.installation != nil }, [foreign])
        },
        ConformanceCase("a deregistered person is deleted with all data, once") { f in
            let new = try await f.registered()
            let grant = f.grant(to: new)
            _ = try await f.give(grant)
            func deregister() async throws -> DeregisterOutcome {
                try await f.store.installations.deregister(
                    person: new.person.id, recording: f.makeEvent("person.deregistered"))
            }
            try expectEqual(await deregister(), .removed)
            try expectEqual(await deregister(), .unknown)
            try expectEqual(await f.store.people.person(new.person.id), nil)
            try expectEqual(await f.store.grants.grant(grant.id), nil)
            try expectEqual(await f.store.installations.installation(new.installation.id), nil)
            try expectEqual(await f.store.credentials.credentials(of: new.person.id), [])
            let state = try await f.store.tokenStates.tokenState(
                jti: f.bytes(16), grant: grant.id, now: f.now)
            try expectEqual(state, .revoked)
            try expectEqual(await f.events("person.deregistered"), 1)
        },
        ConformanceCase("only people of an origin are deleted by age, in batches") { f in
            for _ in 0..<3 {
                var new = f.makeRegistration("t-\(f.identifier() as Identifier<Person>)")
                new.person.origin = "testKey"
                _ = try await f.store.installations.register(
                    new, recording: f.makeEvent("registration"))
            }
            let kept = try await f.registered()
            func sweep(_ end: Timestamp, limit: Int = 10) async throws -> Int {
                try await f.store.installations.removePeople(
                    of: f.project.id, origin: "testKey", before: end, limit: limit,
                    now: f.now
                ) { $0 > 0 ? f.makeEvent("swept.\($0)") : nil }
            }
            try expectEqual(await sweep(f.now), 0)
            try expectEqual(await sweep(f.now + .seconds(1), limit: 2), 2)
            try expectEqual(await sweep(f.now + .seconds(1)), 1)
            try expectEqual(await sweep(f.now + .seconds(1)), 0)
            let nobody = try await f.store.installations.removePeople(
                of: f.project.id, origin: "", before: f.now + .days(1), limit: 10, now: f.now
            ) { _ in nil }
            try expectEqual(nobody, 0)
            try expectEqual(await f.events("swept.2"), 1)
            try expectEqual(await f.events("swept.1"), 1)
            try expectEqual(await f.events("swept.0"), 0)
            try expectEqual(await f.store.people.person(kept.person.id), kept.person)
            try expectEqual(await f.store.people.person(f.person.id), f.person)
        },
    ]

    static let issuerKeys: [ConformanceCase] = [
        ConformanceCase("an issuer's key is found by issuer and kid together") { f in
            let keys = [
                f.makeIssuerKey("a"), f.makeIssuerKey("b"), f.makeIssuerKey("a", kid: "k2"),
            ]
            for key in keys { try expect(await f.store.issuerKeys.save(key)) }
            for key in keys {
                try expectEqual(
                    await f.store.issuerKeys.issuerKey(
                        issuer: key.issuer, kid: key.kid, in: f.project.id), key
                )
            }
            try expectEqual(
                await f.store.issuerKeys.issuerKey(issuer: "b", kid: "k2", in: f.project.id), nil)
            try expectEqual(
                await f.store.issuerKeys.issuerKey(issuer: "a", kid: "k1", in: f.identifier()), nil)
            try expectEqual(
                await f.store.issuerKeys.issuerKeys(of: f.project.id, kind: .federation),
                [keys[0], keys[2], keys[1]])
            try expectEqual(await f.store.issuerKeys.issuerKeys(of: f.project.id, kind: .test), [])
        },
        ConformanceCase("issuer and kid belong to one key, which can be changed and removed") { f in
            var key = f.makeIssuerKey()
            try expect(await f.store.issuerKeys.save(key))
            try expect(await !f.store.issuerKeys.save(f.makeIssuerKey()))
            key.settings.milliseconds = true
            key.algorithm = "RS256"
            try expect(await f.store.issuerKeys.save(key))
            try expectEqual(
                await f.store.issuerKeys.issuerKey(issuer: "idp", kid: "k1", in: f.project.id), key)
            try expectEqual(
                await f.store.issuerKeys.remove(issuerKey: key.id, of: f.identifier()), nil)
            try expectEqual(
                await f.store.issuerKeys.remove(issuerKey: key.id, of: f.project.id), key)
            try expectEqual(
                await f.store.issuerKeys.remove(issuerKey: key.id, of: f.project.id), nil)
        },
    ]
}
