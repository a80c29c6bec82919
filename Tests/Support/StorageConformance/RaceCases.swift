// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Runs `body` in many tasks at once and returns the results in the order of the tasks.
func race<T: Sendable>(
    _ racers: Int = 50, _ body: @escaping @Sendable (Int) async throws -> T
) async throws -> [T] {
    try await withThrowingTaskGroup(of: (Int, T).self) { group in
        for racer in 0..<racers { group.addTask { (racer, try await body(racer)) } }
        let results = try await group.reduce(into: [Int: T]()) { $0[$1.0] = $1.1 }
        return (0..<racers).compactMap { results[$0] }
    }
}

private let rounds = 0..<3

extension ConformanceCase {
    static let races: [ConformanceCase] =
        codeRaces + credentialRaces + replacementRaces + otherRaces

    private static let codeRaces: [ConformanceCase] = [
        ConformanceCase("of many redemptions of one code one wins, and the grant dies") { f in
            for _ in rounds {
                let code = f.makeCode()
                try await f.store.grants.save(code)
                let outcomes = try await race { _ in
                    try await f.store.grants.redeemCode(hash: code.hash, generation: 1, now: f.now)
                }
                let winners = outcomes.filter { if case .redeemed = $0 { true } else { false } }
                try expectEqual(winners.count, 1)
                try expectEqual(outcomes.filter { $0 == .reused(code.grant.id) }.count, 49)
                try expectEqual(await f.rotate(code.grant.id, 1), .unknown)
            }
        },
        ConformanceCase("of many rotations of one token one wins, the others get its fruit") { f in
            for _ in rounds {
                let grant = try await f.redeemedGrant()
                let outcomes = try await race { _ in try await f.rotate(grant.id, 1) }
                var moved = grant
                moved.generation = 2
                try expectEqual(outcomes.filter { $0 == .rotated(moved) }.count, 1)
                try expectEqual(outcomes.filter { $0 == .replayed(moved) }.count, 49)
            }
        },
        ConformanceCase("without a grace a race for a token revokes the family") { f in
            for _ in rounds {
                let grant = try await f.redeemedGrant()
                let outcomes = try await race { _ in
                    try await f.rotate(grant.id, 1, grace: .seconds(0))
                }
                let winners = outcomes.filter { if case .rotated = $0 { true } else { false } }
                try expectEqual(winners.count, 1)
                try expectEqual(outcomes.filter { $0 == .reused }.count, 1)
                try expectEqual(outcomes.filter { $0 == .unknown }.count, 48)
            }
        },
        ConformanceCase("of many polls of an approved device one makes the grant") { f in
            for _ in rounds {
                let device = f.makeDevice()
                try await f.store.grants.save(device)
                _ = try await f.store.grants.decideDeviceAuthorization(
                    userCodeHash: device.userCodeHash, grant: f.makeGrant(), now: f.now)
                let outcomes = try await race { _ in
                    try await f.store.grants.pollDeviceAuthorization(
                        deviceCodeHash: device.deviceCodeHash, client: f.client.id,
                        generation: 1, now: f.now)
                }
                let winners = outcomes.filter { if case .approved = $0 { true } else { false } }
                try expectEqual(winners.count, 1)
                try expectEqual(outcomes.filter { $0 == .unknown }.count, 49)
            }
        },
        ConformanceCase("of approving and denying one device at once one is heard") { f in
            let device = f.makeDevice()
            try await f.store.grants.save(device)
            let heard = try await race(20) { racer in
                try await f.store.grants.decideDeviceAuthorization(
                    userCodeHash: device.userCodeHash, grant: racer % 2 == 0 ? f.makeGrant() : nil,
                    now: f.now)
            }
            try expectEqual(heard.filter { $0 }.count, 1)
        },
    ]

    private static let credentialRaces: [ConformanceCase] = [
        ConformanceCase("two concurrent removals never delete the last two credentials") { f in
            for _ in 0..<10 {
                let pair = try await StoreFixture(f.store)
                let ways = [pair.makeCredential(), pair.makeCredential()]
                for way in ways { _ = try await f.store.credentials.add(way) }
                let outcomes = try await race(2) { racer in
                    try await f.store.credentials.remove(
                        credential: ways[racer].id, of: pair.person.id)
                }
                try expectEqual(outcomes.filter { $0 == .lastWayIn }.count, 1)
                try expectEqual(await f.store.credentials.credentials(of: pair.person.id).count, 1)
            }
        },
        ConformanceCase("a recovery code is consumed by one of many") { f in
            for _ in rounds {
                let code = f.makeCredential(.recoveryCode)
                _ = try await f.store.credentials.add(code)
                let found = try await race { _ in
                    try await f.store.credentials.consumeRecoveryCode(
                        hash: code.externalID, person: f.person.id)
                }
                try expectEqual(found.compactMap { $0 }, [code])
            }
        },
        ConformanceCase("a counter moves from one value once") { f in
            let credential = f.makeCredential()
            _ = try await f.store.credentials.add(credential)
            let moved = try await race { racer in
                try await f.store.credentials.recordUse(
                    ofUnchanged: credential, to: Int64(racer) + 1, details: "{}", now: f.now)
            }
            try expectEqual(moved.filter { $0 }.count, 1)
        },
        ConformanceCase("a user name is taken by one of many") { f in
            let outcomes = try await race { _ in
                try await f.store.people.create(f.makePerson("bea"), with: [])
            }
            try expectEqual(outcomes.filter { $0 == .created }.count, 1)
            try expectEqual(outcomes.filter { $0 == .usernameTaken }.count, 49)
        },
        ConformanceCase("nothing is let in while a person is being disabled") { f in
            for _ in rounds {
                let one = try await StoreFixture(f.store)
                _ = try await race(40) { racer in
                    if racer == 20 {
                        var person = one.person
                        person.disabled = true
                        _ = try await one.store.people.update(person, now: one.now)
                    } else if racer % 2 == 0 {
                        try? await one.store.sessions.create(
                            one.makeSession(), replacing: nil, now: one.now)
                    } else {
                        _ = try? await one.redeemedGrant()
                    }
                }
                try expectEqual(
                    await one.store.sessions.sessions(of: one.person.id, now: one.now), [])
                try expectEqual(await one.store.grants.grants(of: one.person.id, now: one.now), [])
            }
        },
    ]

    private static let replacementRaces: [ConformanceCase] = [
        ConformanceCase("a session of a credential that was replaced is not created") { f in
            for _ in rounds {
                let one = try await StoreFixture(f.store)
                let (old, new) = (one.makeCredential(.password), one.makeCredential(.password))
                _ = try await one.store.credentials.add(old)
                let session = one.makeSession(factors: [one.factor("pwd", with: old)])
                _ = try await race(20) { racer in
                    if racer == 10 {
                        _ = try await one.store.credentials.setPassword(
                            new, replacing: .any, keeping: nil, now: one.now)
                    } else {
                        var session = session
                        (session.id, session.secretHash) = (one.identifier(), one.bytes())
                        _ = try? await one.store.sessions.create(
                            session, replacing: nil, now: one.now)
                    }
                }
                try expectEqual(
                    await one.store.sessions.sessions(of: one.person.id, now: one.now), [])
                do {
                    try await one.store.sessions.create(session, replacing: nil, now: one.now)
                    throw ConformanceFailure(description: "a replaced password opened a session")
                } catch let error as StorageError where error.code == .missingParent {}
            }
        },
        ConformanceCase("a device sign-in with a credential that was replaced makes no grant") {
            f in
            let (machine, _) = try await f.registeredMachine()
            let (old, new) = (f.makeCredential(.password), f.makeCredential(.password))
            _ = try await f.store.credentials.add(old)
            _ = try await f.store.credentials.setPassword(
                new, replacing: .any, keeping: nil, now: f.now)
            try expectEqual(
                await f.signIn(on: machine, with: old).0, .credentialReplaced)
            try expectEqual(await f.signIn(on: machine, with: new).0, .done)
        },
    ]

    private static let otherRaces: [ConformanceCase] = [
        ConformanceCase("a challenge is consumed by one of many") { f in
            for _ in rounds {
                let challenge = f.makeChallenge()
                try await f.store.challenges.issue(challenge)
                let found = try await race { _ in
                    try await f.store.challenges.consumeChallenge(
                        hash: challenge.hash, purpose: challenge.purpose, in: challenge.project,
                        now: f.now)
                }
                try expectEqual(found.compactMap { $0 }, [challenge])
            }
        },
        ConformanceCase("a mark is made by one of many") { f in
            let mark = OneTimeIdentifier(.clientAssertion, key: f.bytes())
            let made = try await race { _ in
                try await f.store.challenges.markUsed(mark, expiresAt: f.now + .minutes(1))
            }
            try expectEqual(made.filter { $0 }.count, 1)
        },
        ConformanceCase("a mark with an event is made by one of many, and so is the event") { f in
            let use = OneTimeUse(
                OneTimeIdentifier(.deviceNonce, key: f.bytes()), until: f.now + .minutes(5))
            let made = try await race { _ in
                try await f.store.challenges.markUsed(use, recording: f.makeEvent("device.key"))
            }
            try expectEqual(made.filter { $0 }.count, 1)
            var filter = AuditFilter()
            filter.project = f.project.id
            filter.action = "device.key"
            try expectEqual(
                await f.store.auditLog.auditEvents(filter, before: nil, limit: 9).count, 1)
        },
        ConformanceCase("concurrent attempts never pass the limit") { f in
            for _ in rounds {
                let bucket = f.bytes()
                let verdicts = try await race { _ in
                    try await f.store.attempts.recordAttempt(
                        bucket: bucket, limit: 10, window: .minutes(1), now: f.now)
                }
                let refused = verdicts.filter { $0 == .refused(until: f.now + .minutes(1)) }
                try expectEqual(refused.count, 40)
                for remaining in 0..<10 {
                    let allowed = verdicts.filter { $0 == .allowed(remaining: remaining) }
                    try expectEqual(allowed.count, 1)
                }
            }
        },
        ConformanceCase("of processes that add first keys at once one wins") { f in
            let sets = (0..<10).map { _ in [f.makeKey(.active), f.makeKey(.next)] }
            _ = try await race(10) { try await f.store.signingKeys.addSigningKeys(sets[$0]) }
            let found = try await f.store.signingKeys.signingKeys(of: f.project.id)
            try expectEqual(found.count, 2)
            try expectEqual(Set(found.map(\.state)), [.active, .next])
        },
        ConformanceCase("of many rotations of a signing key at once one wins") { f in
            let next = f.makeKey(.next)
            try await f.store.signingKeys.addSigningKeys([f.makeKey(.active), next])
            let rotated = try await race(10) { _ in
                try await f.store.signingKeys.rotateSigningKey(
                    of: f.project.id, promoting: next.kid, successor: f.makeKey(.next), now: f.now)
            }
            try expectEqual(rotated.count(where: \.self), 1)
            let found = try await f.store.signingKeys.signingKeys(of: f.project.id)
            try expectEqual(found.filter { $0.state == .active }.map(\.kid), [next.kid])
            try expectEqual(found.filter { $0.state == .next }.count, 1)
            try expectEqual(found.count, 3)
        },
        ConformanceCase("consents that are widened at once lose nothing") { f in
            let words = (0..<20).map { "scope\($0)" }
            _ = try await race(20) { racer in
                try await f.store.consents.save(
                    Consent(
                        project: f.project.id, person: f.person.id, client: f.client.id,
                        scope: words[racer], givenAt: f.now))
            }
            let found = try await f.store.consents.consent(of: f.person.id, for: f.client.id)
            try expectEqual(
                Set((found?.scope ?? "").split(separator: " ").map(String.init)), Set(words))
        },
        ConformanceCase("a client id is taken by one of many") { f in
            let saved = try await race(20) { _ in
                try await f.store.clients.save(f.makeClient("wiki"), now: f.now)
            }
            try expectEqual(saved.filter { $0 }.count, 1)
        },
    ]
}
