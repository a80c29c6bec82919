// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let apiTokens: [ConformanceCase] = [
        ConformanceCase("an API token is found by its hash, with the event of its making") { f in
            let token = f.makeAPIToken()
            let event = f.makeEvent("admin.api-token.create")
            try expect(await f.store.apiTokens.add(token, recording: event))
            try expectEqual(await f.store.apiTokens.apiToken(hash: token.hash), token)
            try expectEqual(await f.store.apiTokens.apiToken(hash: f.bytes()), nil)
            var filter = AuditFilter()
            filter.action = event.action
            filter.project = f.project.id
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 5).map(\.id),
                [event.id])
        },
        ConformanceCase("an API token of no project is refused, and leaves no event") { f in
            var token = f.makeAPIToken()
            token.project = f.identifier()
            try expect(
                await !f.store.apiTokens.add(token, recording: f.makeEvent("admin.api-token.lost")))
            var filter = AuditFilter()
            filter.action = "admin.api-token.lost"
            filter.project = f.project.id
            try expectEqual(await f.store.auditLog.auditEvents(filter, before: nil, limit: 5), [])
        },
        ConformanceCase("API tokens are listed page by page, those of the project alone") { f in
            let neighbour = try await StoreFixture(f.store)
            let tokens = (0..<3).map { _ in f.makeAPIToken() }
            for token in tokens + [neighbour.makeAPIToken()] {
                try expect(await f.store.apiTokens.add(token, recording: f.makeEvent("a")))
            }
            let first = try await f.store.apiTokens.apiTokens(
                of: f.project.id, after: nil, limit: 2)
            let rest = try await f.store.apiTokens.apiTokens(
                of: f.project.id, after: first.last?.id, limit: 2)
            try expectEqual((first + rest).map(\.id), tokens.map(\.id).sorted())
        },
        ConformanceCase("an active API token is transferred within its project") { f in
            let token = f.makeAPIToken()
            try expect(await f.store.apiTokens.add(token, recording: f.makeEvent("a")))
            func handOver(
                _ project: Identifier<Project>, _ name: String, at now: Timestamp,
                hash: [UInt8]? = nil
            ) async throws -> APITokenTransferOutcome {
                var found =
                    try await f.store.apiTokens.apiToken(token.id, of: f.project.id) ?? token
                found.project = project
                return try await f.store.apiTokens.handOver(
                    apiToken: found, to: f.person.id, named: name, hash: hash, now: now,
                    recording: f.makeEvent("handed-over"))
            }
            try expectEqual(await handOver(f.identifier(), "pia", at: f.now), .unknown)
            try expectEqual(await handOver(f.project.id, "pia", at: token.expiresAt), .unknown)
            try expectEqual(await handOver(f.project.id, "anna", at: f.now), .moved)
            let kept = try await f.store.apiTokens.apiToken(token.id, of: f.project.id)
            try expectEqual(kept?.maker, f.person.id)
            try expectEqual(kept?.makerName, "anna")
            try expectEqual(kept?.hash, token.hash)
            try expectEqual(await f.store.apiTokens.apiToken(token.id, of: f.identifier()), nil)
            let other = f.bytes()
            try expectEqual(
                await handOver(f.project.id, "anna", at: f.now, hash: other), .moved)
            try expectEqual(await f.store.apiTokens.apiToken(hash: token.hash), nil)
            try expectEqual(await f.store.apiTokens.apiToken(hash: other)?.id, token.id)
            _ = try await f.store.apiTokens.revoke(
                apiToken: token.id, of: f.project.id, now: f.now, recording: f.makeEvent("b"))
            try expectEqual(await handOver(f.project.id, "pia", at: f.now), .unknown)
            var filter = AuditFilter()
            filter.project = f.project.id
            filter.action = "handed-over"
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 5).count, 2)
        },
        ConformanceCase("of many who take an API token over at once one does, with one event") {
            f in
            let token = f.makeAPIToken()
            try expect(await f.store.apiTokens.add(token, recording: f.makeEvent("a")))
            let (store, person, now) = (f.store, f.person.id, f.now)
            let tries = (0..<20).map { _ in (hash: f.bytes(), event: f.makeEvent("raced")) }
            let outcomes = try await withThrowingTaskGroup(
                of: (hash: [UInt8], APITokenTransferOutcome).self
            ) { group in
                for (hash, event) in tries {
                    group.addTask {
                        (
                            hash,
                            try await store.apiTokens.handOver(
                                apiToken: token, to: person, named: "anna", hash: hash, now: now,
                                recording: event)
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let winners = outcomes.filter { $0.1 == .moved }
            try expectEqual(winners.count, 1)
            try expectEqual(outcomes.count { $0.1 == .overtaken }, 19)
            // What the one who won reads is the token.
            let kept = try await f.store.apiTokens.apiToken(token.id, of: f.project.id)
            try expectEqual(kept?.hash, winners.first?.hash)
            // Also without a new secret: whose it is has changed.
            try expectEqual(
                await f.store.apiTokens.handOver(
                    apiToken: token, to: person, named: "anna", hash: nil, now: now,
                    recording: f.makeEvent("raced")), .overtaken)
            var filter = AuditFilter()
            (filter.project, filter.action) = (f.project.id, "raced")
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 30).count, 1)
        },
        ConformanceCase("an API token is revoked once, in its own project, while it is good") { f in
            let token = f.makeAPIToken()
            _ = try await f.store.apiTokens.add(token, recording: f.makeEvent("a"))
            func revoke(_ project: Identifier<Project>, at now: Timestamp) async throws -> Bool {
                try await f.store.apiTokens.revoke(
                    apiToken: token.id, of: project, now: now, recording: f.makeEvent("b"))
            }
            try expect(await !revoke(f.identifier(), at: f.now))
            try expect(await !revoke(f.project.id, at: token.expiresAt))
            try expect(await revoke(f.project.id, at: f.now))
            try expect(await !revoke(f.project.id, at: f.now))
            try expectEqual(await f.store.apiTokens.apiToken(hash: token.hash)?.revokedAt, f.now)
        },
        ConformanceCase("the last use of an API token is kept to the minute") { f in
            let token = f.makeAPIToken()
            _ = try await f.store.apiTokens.add(token, recording: f.makeEvent("a"))
            for (seconds, kept) in [(0, 0), (59, 0), (60, 60), (90, 60), (120, 120)]
                as [(Int64, Int64)]
            {
                try await f.store.apiTokens.noteUse(of: token.id, now: f.now + .seconds(seconds))
                try expectEqual(
                    await f.store.apiTokens.apiToken(hash: token.hash)?.lastUsedAt,
                    f.now + .seconds(kept))
            }
        },
        ConformanceCase("an API token outlives its maker, and goes with its project") { f in
            let token = f.makeAPIToken()
            _ = try await f.store.apiTokens.add(token, recording: f.makeEvent("a"))
            try await f.store.people.remove(person: f.person.id)
            try expectEqual(await f.store.apiTokens.apiToken(hash: token.hash), token)
            try await f.store.projects.remove(project: f.project.id)
            try expectEqual(await f.store.apiTokens.apiToken(hash: token.hash), nil)
        },
    ]

    /// The last owner who can sign in stays an owner in all operations.
    static let lastOwners: [ConformanceCase] = [
        ConformanceCase("the last owner is not disabled, not removed, and not swept") { f in
            try await f.dismissOwners()
            try expectEqual(
                await f.store.administrators.assign(f.makeAdministrator(.owner)), .assigned)
            try expect(await f.store.administrators.isLastOwner(f.person.id))
            var person = f.person
            person.disabled = true
            try expect(await !f.store.people.update(person, now: f.now))
            try expectEqual(
                await f.store.installations.deregister(
                    person: person.id, recording: f.makeEvent("gone")),
                .lastOwner)
            try expectEqual(await f.store.people.person(person.id)?.disabled, false)
            // An owner who cannot sign in is none.
            let bea = try await f.owner("bea", disabled: true)
            try expect(await f.store.administrators.isLastOwner(f.person.id))
            try expect(await !f.store.administrators.isLastOwner(f.identifier()))
            var back = bea
            back.disabled = false
            try expect(await f.store.people.update(back, now: f.now))
            try expect(await !f.store.administrators.isLastOwner(f.person.id))
            try expect(await f.store.people.update(person, now: f.now))
            try expectEqual(
                await f.store.installations.deregister(
                    person: back.id, recording: f.makeEvent("gone")),
                .lastOwner)
            try await f.dismissOwners()
        },
        ConformanceCase("of two owners who disable one another at once one stays") { f in
            try await f.dismissOwners()
            try expectEqual(
                await f.store.administrators.assign(f.makeAdministrator(.owner)), .assigned)
            var (anna, bea) = (f.person, try await f.owner("bea"))
            (anna.disabled, bea.disabled) = (true, true)
            let (store, now, people) = (f.store, f.now, [anna, bea])
            async let first = store.people.update(people[0], now: now)
            async let second = store.people.update(people[1], now: now)
            let outcomes = try await [first, second]
            try expectEqual(outcomes.count { $0 }, 1)
            try await f.dismissOwners()
        },
    ]
}

extension StoreFixture {
    func makeAPIToken() -> APIToken {
        APIToken(
            id: identifier(), project: project.id, hash: bytes(), name: "ci", role: .developer,
            maker: person.id, makerName: person.username, createdAt: now,
            expiresAt: now + .days(90))
    }

    fileprivate func owner(_ name: String, disabled: Bool = false) async throws -> Person {
        var person = makePerson(name)
        person.disabled = disabled
        _ = try await store.people.create(person, with: [])
        var role = makeAdministrator(.owner)
        role.person = person.id
        try expectEqual(await store.administrators.assign(role), .assigned)
        return person
    }
}
