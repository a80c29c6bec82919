// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

extension StoreFixture {
    /// Registers a person with a PIN.
    fileprivate func registeredWithPIN() async throws -> NewRegistration {
        let new = makePINRegistration()
        let outcome = try await store.installations.register(
            new, recording: makeEvent("registration"))
        guard outcome == .registered else {
            throw ConformanceFailure(description: "a registration was \(outcome)")
        }
        return new
    }

    package func makePINRegistration() -> NewRegistration {
        var new = makeRegistration("p-\(identifier() as Identifier<Person>)")
        new.pin = StoredPIN(
            project: project.id, keyID: bytes(), installation: new.installation.id,
            person: new.person.id, publicJWK: #"{"kty":"EC"}"#, content: #"{"secret":1}"#,
            createdAt: now)
        return new
    }

    fileprivate func use() -> OneTimeUse {
        OneTimeUse(OneTimeIdentifier(.nonce, key: bytes(16)), until: now + .minutes(5))
    }

    fileprivate func change(
        _ pin: StoredPIN?, to successor: PINChange.Successor?, at revision: Int64? = nil,
        using use: OneTimeUse? = nil
    ) async throws -> PINChangeOutcome {
        try await store.pins.apply(
            PINChange(
                project: project.id, keyID: pin?.keyID ?? bytes(),
                revision: revision ?? pin?.revision ?? 1, successor: successor,
                nonce: use ?? self.use(), now: now))
    }

    fileprivate func stored(_ pin: StoredPIN?) async throws -> StoredPIN? {
        guard let pin else { return nil }
        return try await store.pins.pin(of: pin.keyID, in: pin.project)
    }
}

extension ConformanceCase {
    static let pins = settlements + ends + pinRaces

    private static let settlements: [ConformanceCase] = [
        ConformanceCase("a PIN is kept with its installation, and found in its project") { f in
            let new = try await f.registeredWithPIN()
            try expectEqual(await f.stored(new.pin), new.pin)
            try expectEqual(
                await f.store.pins.pin(of: new.pin?.keyID ?? [], in: f.identifier()), nil)
            try expectEqual(await f.store.pins.pin(of: f.bytes(), in: f.project.id), nil)
        },
        ConformanceCase("a registration that cannot be leaves no PIN") { f in
            var new = f.makePINRegistration()
            new.person.username = "anna"
            new.person.realm = ""
            try expectEqual(
                await f.store.installations.register(new, recording: f.makeEvent("registration")),
                .usernameTaken)
            try expectEqual(await f.stored(new.pin), nil)
        },
        ConformanceCase("a key that has a PIN is registered with no other") { f in
            let first = try await f.registeredWithPIN()
            var second = f.makePINRegistration()
            second.pin?.keyID = first.pin?.keyID ?? []
            try expectEqual(
                await f.store.installations.register(
                    second, recording: f.makeEvent("registration")),
                .credentialTaken(.signInKey))
            try expectEqual(await f.store.people.person(second.person.id), nil)
        },
        ConformanceCase("a change replaces the PIN of that revision, and consumes the nonce") { f in
            let pin = try await f.registeredWithPIN().pin
            let use = f.use()
            try expectEqual(await f.change(pin, to: .content("{}"), using: use), .applied)
            var changed = pin
            changed?.content = "{}"
            changed?.revision = 2
            try expectEqual(await f.stored(pin), changed)
            try expectEqual(await f.change(changed, to: .content("x"), using: use), .nonceGone)
            try expectEqual(await f.change(pin, to: .content("x"), using: use), .nonceGone)
            try expectEqual(await f.change(pin, to: nil, using: use), .nonceGone)
            try expectEqual(await f.stored(pin), changed)
        },
        ConformanceCase("a change of an older revision changes and consumes nothing") { f in
            let pin = try await f.registeredWithPIN().pin
            let use = f.use()
            for revision: Int64 in [0, 2, -1] {
                try expectEqual(
                    await f.change(pin, to: .content("x"), at: revision, using: use), .stale)
                try expectEqual(
                    await f.change(pin, to: .ended("profile_locked"), at: revision, using: use),
                    .stale)
            }
            try expectEqual(await f.change(nil, to: .content("x"), using: use), .stale)
            try expectEqual(await f.stored(pin), pin)
            try expectEqual(await f.change(pin, to: .content("{}"), using: use), .applied)
        },
        ConformanceCase("a nonce alone can be consumed, once") { f in
            let pin = try await f.registeredWithPIN().pin
            let use = f.use()
            try expectEqual(await f.change(pin, to: nil, using: use), .applied)
            try expectEqual(await f.change(pin, to: nil, using: use), .nonceGone)
            try expectEqual(await f.stored(pin), pin)
        },
    ]

    private static let ends: [ConformanceCase] = [
        ConformanceCase("the end of a PIN ends installation, key and grants, and is told") { f in
            let new = try await f.registeredWithPIN()
            var grant = f.makeGrant()
            grant.person = new.person.id
            grant.installation = new.installation.id
            grant.generation = 1
            _ = try await f.store.installations.grant(
                grant, using: [], credential: nil, recording: f.makeEvent("token.pin"))
            let event = f.makeEvent("pin.locked")
            let settled = try await f.store.pins.apply(
                PINChange(
                    project: f.project.id, keyID: new.pin?.keyID ?? [], revision: 1,
                    successor: .ended("profile_locked"), nonce: f.use(), now: f.now, event: event))
            try expectEqual(settled, .applied)
            var ended = new.pin
            ended?.content = ""
            ended?.ending = "profile_locked"
            ended?.installation = nil
            ended?.revision = 2
            try expectEqual(await f.stored(new.pin), ended)
            try expectEqual(await f.store.installations.installations(of: new.person.id), [])
            let keys = try await f.store.credentials.credentials(of: new.person.id)
            try expectEqual(keys.map(\.kind), [.federatedIdentity])
            let state = try await f.store.tokenStates.tokenState(
                jti: f.bytes(16), grant: grant.id, now: f.now)
            try expectEqual(state, .revoked)
            var filter = AuditFilter()
            filter.project = f.project.id
            filter.action = "pin.locked"
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 10).map(\.id),
                [event.id])
            try expectEqual(await f.change(ended, to: .content("x")), .stale)
            try expectEqual(await f.store.maintenance.verify(), [])
        },
        ConformanceCase("the deletion of the installation or its person terminates the PIN") { f in
            let removed = try await f.registeredWithPIN()
            _ = try await f.store.installations.remove(
                installation: removed.installation.id, of: removed.person.id, now: f.now,
                recording: f.makeEvent("installation.removed"))
            let closed = try await f.registeredWithPIN()
            _ = try await f.store.installations.deregister(
                person: closed.person.id, recording: f.makeEvent("person.deregistered"))
            let gone = try await f.registeredWithPIN()
            try await f.store.people.remove(person: gone.person.id)
            for new in [removed, closed, gone] {
                try expectEqual(await f.stored(new.pin)?.installation, nil)
                try expectEqual(await f.change(new.pin, to: .content("x")), .stale)
            }
            let past = Timestamp(seconds: 900_000_000)
            _ = try await f.store.maintenance.sweep(now: past, batch: 100)
            for new in [removed, closed, gone] {
                var over = new.pin
                over?.installation = nil
                over?.content = ""
                over?.ending = "device_revoked"
                over?.revision = 2
                try expectEqual(await f.stored(new.pin), over)
            }
            _ = try await f.store.maintenance.sweep(now: past + .days(399), batch: 100)
            try expect(await f.stored(removed.pin) != nil)
            _ = try await f.store.maintenance.sweep(now: past + .days(400), batch: 100)
            for new in [removed, closed, gone] { try expectEqual(await f.stored(new.pin), nil) }
        },
    ]

    private static let pinRaces: [ConformanceCase] = [
        ConformanceCase("of many concurrent guesses one is saved") { f in
            let pin = try await f.registeredWithPIN().pin
            let outcomes = try await Self.atOnce(40) { racer in
                try await f.change(
                    pin, to: racer == 17 ? .ended("profile_locked") : .content("\(racer)"))
            }
            try expectEqual(outcomes.count { $0 == .applied }, 1)
            try expectEqual(outcomes.count { $0 == .stale }, 39)
            try expectEqual(await f.stored(pin)?.revision, 2)
        },
        ConformanceCase("of many requests with one nonce one is saved") { f in
            let (one, other) = (
                try await f.registeredWithPIN().pin, try await f.registeredWithPIN().pin
            )
            let use = f.use()
            let outcomes = try await Self.atOnce(40) { racer in
                try await f.change(racer % 2 == 0 ? one : other, to: .content("x"), using: use)
            }
            try expectEqual(outcomes.count { $0 == .applied }, 1)
            let revisions = try await [f.stored(one)?.revision, f.stored(other)?.revision]
            try expectEqual(Set(revisions), [1, 2])
        },
        ConformanceCase("the PINs of two devices are independent") { f in
            let pins = [
                try await f.registeredWithPIN().pin, try await f.registeredWithPIN().pin,
            ]
            let outcomes = try await Self.atOnce(2) { racer in
                try await f.change(pins[racer], to: .content("x"))
            }
            try expectEqual(outcomes, [.applied, .applied])
        },
        ConformanceCase("after a concurrent guess and removal there is no active PIN") { f in
            for _ in 0..<5 {
                let new = try await f.registeredWithPIN()
                _ = try await Self.atOnce(2) { racer in
                    if racer == 0 {
                        _ = try await f.change(new.pin, to: .ended("profile_locked"))
                    } else {
                        _ = try await f.store.installations.remove(
                            installation: new.installation.id, of: new.person.id, now: f.now,
                            recording: f.makeEvent("installation.removed"))
                    }
                }
                try expectEqual(await f.stored(new.pin)?.installation, nil)
                try expectEqual(await f.store.installations.installations(of: new.person.id), [])
            }
        },
    ]

    private static func atOnce<T: Sendable>(
        _ racers: Int, _ body: @escaping @Sendable (Int) async throws -> T
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: T.self) { group in
            for racer in 0..<racers { group.addTask { try await body(racer) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
