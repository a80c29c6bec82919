// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension StoreFixture {
    fileprivate func register(
        _ new: NewRegistration
    ) async throws -> InstallationRegistrationOutcome {
        try await store.installations.register(new, recording: makeEvent("registration"))
    }

    fileprivate func registrations() async throws -> Int {
        var filter = AuditFilter()
        filter.project = project.id
        filter.action = "registration"
        return try await store.auditLog.auditEvents(filter, before: nil, limit: 100).count
    }

    /// Another registration that is the same in everything that may be there once only by `keep`.
    fileprivate func another(
        like first: NewRegistration, _ keep: (inout NewRegistration) -> Void
    ) -> NewRegistration {
        var second = makeRegistration("other")
        keep(&second)
        return second
    }
}

extension StoreFixture {
    /// Returns a further installation of an existing person with new attributes.
    fileprivate func another(of person: Person, attributes: String?) -> NewRegistration {
        var new = makeRegistration()
        new.person = person
        new.isOfKnownPerson = true
        new.attributes = attributes
        new.installation.person = person.id
        new.credentials = Array(new.credentials.prefix(1))
        new.credentials[0].person = person.id
        return new
    }
}

extension ConformanceCase {
    static let registrations: [ConformanceCase] = [
        ConformanceCase("what is said of a known person is kept with their new installation") { f in
            let first = f.makeRegistration()
            try expectEqual(await f.register(first), .registered)
            func kept() async throws -> String? {
                let person = try await f.store.people.person(first.person.id)
                return person?.attributes
            }
            try expectEqual(
                await f.register(f.another(of: first.person, attributes: nil)), .registered)
            try expectEqual(await kept(), first.person.attributes)
            let silver = #"{"plan":"silver"}"#
            let second = f.another(of: first.person, attributes: silver)
            try expectEqual(await f.register(second), .registered)
            try expectEqual(await kept(), silver)
            // What does not register changes nothing of it.
            var taken = f.another(of: first.person, attributes: "{}")
            taken.uses = second.uses
            try expectEqual(await f.register(taken), .used(.nonce))
            try expectEqual(await kept(), silver)
            var disabled = try await f.store.people.person(first.person.id) ?? first.person
            disabled.disabled = true
            try expect(await f.store.people.update(disabled, now: f.now))
            try expectEqual(
                await f.register(f.another(of: first.person, attributes: "{}")), .personGone)
            try expectEqual(await kept(), silver)
            try expectEqual(await f.registrations(), 3)
        },
        ConformanceCase("a registration makes all that it names, and its event") { f in
            let new = f.makeRegistration()
            try expectEqual(await f.register(new), .registered)
            try expectEqual(await f.store.people.person(new.person.id), new.person)
            try expectEqual(
                Set(await f.store.credentials.credentials(of: new.person.id).map(\.id)),
                Set(new.credentials.map(\.id)))
            try expectEqual(
                await f.store.installations.installation(new.installation.id), new.installation)
            try expectEqual(await f.registrations(), 1)
            for use in new.uses {
                try expect(await !f.store.challenges.markUsed(use.mark, expiresAt: use.expiresAt))
            }
        },
        ConformanceCase("the same registration again is told what it was") { f in
            let new = f.makeRegistration()
            _ = try await f.register(new)
            try expectEqual(await f.register(new), .repeated(new.installation, new.person))
            // With a fresh nonce and a fresh token, and other identifiers: as after a crash.
            var again = f.another(like: new) {
                $0.installation.registrationID = new.installation.registrationID
                $0.installation.binding = new.installation.binding
            }
            again.person.username = new.person.username
            try expectEqual(await f.register(again), .repeated(new.installation, new.person))
            for use in again.uses {
                try expect(await f.store.challenges.markUsed(use.mark, expiresAt: use.expiresAt))
            }
            try expectEqual(await f.registrations(), 1)
        },
        ConformanceCase("a registration id identifies one key and one method") { f in
            let new = f.makeRegistration()
            _ = try await f.register(new)
            let id = new.installation.registrationID
            let otherKey = f.another(like: new) { $0.installation.registrationID = id }
            try expectEqual(await f.register(otherKey), .registrationTaken)
            let otherMethod = f.another(like: new) {
                $0.installation.registrationID = id
                $0.installation.binding = new.installation.binding
                $0.installation.method = "testKey"
            }
            try expectEqual(await f.register(otherMethod), .registrationTaken)
            try expectEqual(await f.store.people.person(otherKey.person.id), nil)
            try expectEqual(await f.registrations(), 1)
        },
        ConformanceCase("a registration revokes the grant of its evidence, which registers once") {
            f in
            let grant = try await f.redeemedGrant()
            func new() -> NewRegistration {
                var new = f.another(of: f.person, attributes: nil)
                new.consumedGrant = grant.id
                return new
            }
            // A registration that fails leaves it active.
            var gone = new()
            gone.person = f.makePerson("gone")
            try expectEqual(await f.register(gone), .personGone)
            try expectEqual(await f.store.grants.grant(grant.id)?.revokedAt, nil)
            var all: [NewRegistration] = []
            for _ in 0..<8 { all.append(new()) }
            let outcomes = try await withThrowingTaskGroup(
                of: InstallationRegistrationOutcome.self
            ) { group in
                for one in all {
                    let event = f.makeEvent("registration")
                    group.addTask {
                        try await f.store.installations.register(one, recording: event)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expectEqual(outcomes.count { $0 == .registered }, 1)
            try expectEqual(outcomes.count { $0 == .grantNotActive }, outcomes.count - 1)
            try expectEqual(await f.store.grants.grant(grant.id)?.revokedAt, f.now)
            try expectEqual(await f.store.installations.installations(of: f.person.id).count, 1)
        },
        ConformanceCase("an expired grant, and a code that is not redeemed, register nothing") {
            f in
            let code = f.makeCode()
            try await f.store.grants.save(code)
            let expired = try await f.redeemedGrant()
            for (grant, time) in [(code.grant.id, f.now), (expired.id, expired.expiresAt)] {
                var new = f.another(of: f.person, attributes: nil)
                new.consumedGrant = grant
                new.installation.createdAt = time
                try expectEqual(await f.register(new), .grantNotActive)
                try expectEqual(
                    await f.store.installations.installation(new.installation.id), nil)
            }
        },
        ConformanceCase("a used nonce, a used token, a taken name or key registers nothing") { f in
            let new = f.makeRegistration()
            _ = try await f.register(new)
            let refused: [(InstallationRegistrationOutcome, (inout NewRegistration) -> Void)] = [
                (.used(.nonce), { $0.uses[0] = new.uses[0] }),
                (.used(.issuedToken), { $0.uses[1] = new.uses[1] }),
                (
                    .usernameTaken,
                    {
                        $0.person.username = new.person.username
                        $0.person.realm = new.person.realm
                    }
                ),
                (
                    .credentialTaken(.signInKey),
                    { $0.credentials[0].externalID = new.credentials[0].externalID }
                ),
                (
                    .credentialTaken(.federatedIdentity),
                    {
                        $0.credentials[1].externalID = new.credentials[1].externalID
                        $0.person.username = new.person.username
                    }
                ),
            ]
            for (outcome, keep) in refused {
                let second = f.another(like: new, keep)
                try expectEqual(await f.register(second), outcome)
                try expectEqual(await f.store.people.person(second.person.id), nil)
                try expectEqual(
                    await f.store.installations.installation(second.installation.id), nil)
            }
            try expectEqual(await f.registrations(), 1)
        },
        ConformanceCase("registrations count in their budgets, and one that fails does not") { f in
            let budget = AttemptBudget(bucket: f.bytes(32), limit: 2)
            func make(_ name: String) -> NewRegistration {
                var new = f.makeRegistration(name)
                new.budgets = [budget, AttemptBudget(bucket: f.bytes(32), limit: 9)]
                return new
            }
            let first = make("first")
            try expectEqual(await f.register(first), .registered)
            var failed = make("failed")
            failed.uses[0] = first.uses[0]
            try expectEqual(await f.register(failed), .used(.nonce))
            let last = make("last")
            try expectEqual(await f.register(last), .registered)
            let end = f.now + .days(1)
            let refused = make("refused")
            try expectEqual(await f.register(refused), .limited(until: end))
            try expectEqual(await f.store.people.person(refused.person.id), nil)
            try expectEqual(await f.store.installations.installation(refused.installation.id), nil)
            // A repeated request gets its earlier registration, also over the limit.
            try expectEqual(
                await f.register(last), .repeated(last.installation, last.person))
            try expectEqual(await f.register(f.makeRegistration("other")), .registered)
            let counted = try await f.store.attempts.attempts(in: [budget.bucket], now: f.now)
            try expectEqual(counted[budget.bucket]?.count, 2)
        },
        ConformanceCase("a name belongs to its realm: others may have the same") { f in
            for realm in ["", "https://a.example", "https://b.example"] {
                try expectEqual(
                    await f.register(f.makeRegistration("dora", realm: realm)), .registered)
            }
            let found = try await f.store.people.person(username: "dora", in: f.project.id)
            try expectEqual(found?.realm, "")
            let names = try await f.store.people.people(of: f.project.id, after: "dora", limit: 10)
            try expectEqual(names.map(\.realm), ["https://a.example", "https://b.example"])
            var person = try await f.store.people.person(
                username: names[0].qualifiedName, in: f.project.id)
            try expectEqual(person?.username, "dora")
            person?.claims.name = "Dora"
            try expect(await f.store.people.update(person ?? names[1], now: f.now))
            try expectEqual(await f.store.people.person(names[0].id)?.realm, "https://a.example")
        },
        ConformanceCase("of many registrations under one id all are told the same") { f in
            let new = f.makeRegistration()
            let told = try await withThrowingTaskGroup(of: InstallationRegistrationOutcome.self) {
                group in
                for _ in 0..<20 {
                    let event = f.makeEvent("registration")
                    group.addTask {
                        try await f.store.installations.register(new, recording: event)
                    }
                }
                var told: [InstallationRegistrationOutcome] = []
                for try await outcome in group { told.append(outcome) }
                return told
            }
            try expectEqual(told.count { $0 == .registered }, 1)
            try expectEqual(
                told.count { $0 == .repeated(new.installation, new.person) }, told.count - 1)
            try expectEqual(await f.registrations(), 1)
        },
        ConformanceCase("of many registrations of one identity one makes a person") { f in
            let first = f.makeRegistration()
            let told = try await withThrowingTaskGroup(of: InstallationRegistrationOutcome.self) {
                group in
                for _ in 0..<20 {
                    let event = f.makeEvent("registration")
                    let new = f.another(like: first) {
                        $0.person.username = first.person.username
                        $0.credentials[1].externalID = first.credentials[1].externalID
                    }
                    group.addTask {
                        try await f.store.installations.register(new, recording: event)
                    }
                }
                var told: [InstallationRegistrationOutcome] = []
                for try await outcome in group { told.append(outcome) }
                return told
            }
            try expectEqual(told.count { $0 == .registered }, 1)
            try expectEqual(
                told.count { $0 == .credentialTaken(.federatedIdentity) }, told.count - 1)
        },
        ConformanceCase("a registration whose event cannot be written has not happened") { f in
            let event = f.makeEvent("registration")
            try await f.store.auditLog.append([event])
            let new = f.makeRegistration()
            try await expectFailure {
                _ = try await f.store.installations.register(new, recording: event)
            }
            try expectEqual(await f.store.people.person(new.person.id), nil)
            try expectEqual(await f.register(new), .registered)
        },
    ]
}
