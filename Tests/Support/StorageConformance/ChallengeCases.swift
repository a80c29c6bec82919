// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension StoreFixture {
    fileprivate func consume(
        _ challenge: Challenge, purpose: Challenge.Purpose? = nil,
        project: Identifier<Project>? = nil, at time: Timestamp? = nil
    ) async throws -> Challenge? {
        try await store.challenges.consumeChallenge(
            hash: challenge.hash, purpose: purpose ?? challenge.purpose,
            in: project ?? challenge.project, now: time ?? now)
    }

    fileprivate func peek(_ challenge: Challenge) async throws -> Challenge? {
        try await store.challenges.peek(
            hash: challenge.hash, purpose: challenge.purpose, in: challenge.project, now: now)
    }
}

extension ConformanceCase {
    static let challenges: [ConformanceCase] = [
        ConformanceCase("a challenge is consumed once, and may be seen before") { f in
            for purpose in Challenge.Purpose.allCases {
                let challenge = f.makeChallenge(purpose)
                try await f.store.challenges.issue(challenge)
                try expectEqual(await f.peek(challenge), challenge)
                try expectEqual(await f.consume(challenge), challenge)
                try expectEqual(await f.consume(challenge), nil)
                try expectEqual(await f.peek(challenge), nil)
            }
        },
        ConformanceCase("another purpose, project or hash does not find a challenge") { f in
            let challenge = f.makeChallenge(.passkeySignIn)
            try await f.store.challenges.issue(challenge)
            try expectEqual(await f.consume(challenge, purpose: .passkeyRegistration), nil)
            try expectEqual(await f.consume(challenge, project: f.identifier()), nil)
            try expectEqual(await f.consume(f.makeChallenge()), nil)
            try expectEqual(await f.consume(challenge), challenge)
        },
        ConformanceCase("an expired challenge is not consumed") { f in
            let challenge = f.makeChallenge()
            try await f.store.challenges.issue(challenge)
            try expectEqual(await f.consume(challenge, at: challenge.expiresAt), nil)
        },
        ConformanceCase("a challenge that is issued again is replaced") { f in
            var challenge = f.makeChallenge()
            try await f.store.challenges.issue(challenge)
            challenge.payload = #"{"step":2}"#
            try await f.store.challenges.issue(challenge)
            try expectEqual(await f.consume(challenge), challenge)
            try expectEqual(await f.consume(challenge), nil)
        },
        ConformanceCase("a mark is made once for each kind") { f in
            let key = f.bytes(64)
            func mark(_ kind: OneTimeIdentifier.Kind) async throws -> Bool {
                try await f.store.challenges.markUsed(
                    OneTimeIdentifier(kind, key: key), expiresAt: f.now + .minutes(1))
            }
            try expect(
                await !f.store.challenges.isUsed(OneTimeIdentifier(.clientAssertion, key: key)))
            try expect(await mark(.clientAssertion))
            try expect(
                await f.store.challenges.isUsed(OneTimeIdentifier(.clientAssertion, key: key)))
            try expect(await !f.store.challenges.isUsed(OneTimeIdentifier(.revokedToken, key: key)))
            try expect(await !mark(.clientAssertion))
            try expect(await mark(.revokedToken))
        },
    ]

    static let attempts: [ConformanceCase] = [
        ConformanceCase("attempts fit into a window up to the limit") { f in
            let bucket = f.bytes()
            func attempt(_ seconds: Int64) async throws -> AttemptDecision {
                try await f.store.attempts.recordAttempt(
                    bucket: bucket, limit: 3, window: .minutes(1), now: f.now + .seconds(seconds))
            }
            try expectEqual(await attempt(0), .allowed(remaining: 2))
            try expectEqual(await attempt(1), .allowed(remaining: 1))
            try expectEqual(await attempt(2), .allowed(remaining: 0))
            let end = f.now + .minutes(1)
            for _ in 0..<5 { try expectEqual(await attempt(59), .refused(until: end)) }
            try expectEqual(await attempt(60), .allowed(remaining: 2))
        },
        ConformanceCase("attempts are read without being counted, and not after their window") {
            f in
            let (full, empty) = (f.bytes(), f.bytes())
            for _ in 0..<2 {
                _ = try await f.store.attempts.recordAttempt(
                    bucket: full, limit: 3, window: .minutes(1), now: f.now)
            }
            let end = f.now + .minutes(1)
            for _ in 0..<3 {
                try expectEqual(
                    await f.store.attempts.attempts(in: [full, empty], now: f.now),
                    [full: CountedAttempts(count: 2, resetsAt: end)])
            }
            try expectEqual(await f.store.attempts.attempts(in: [full], now: end), [:])
            try expectEqual(await f.store.attempts.attempts(in: [], now: f.now), [:])
        },
        ConformanceCase("buckets are counted apart, and cleared apart") { f in
            let first = f.bytes()
            let second = f.bytes()
            func attempt(_ bucket: [UInt8]) async throws -> AttemptDecision {
                try await f.store.attempts.recordAttempt(
                    bucket: bucket, limit: 1, window: .minutes(1), now: f.now)
            }
            try expectEqual(await attempt(first), .allowed(remaining: 0))
            try expectEqual(await attempt(second), .allowed(remaining: 0))
            try await f.store.attempts.clearAttempts(bucket: first)
            try expectEqual(await attempt(first), .allowed(remaining: 0))
            try expectEqual(await attempt(second), .refused(until: f.now + .minutes(1)))
        },
        ConformanceCase("a limit of nothing allows nothing") { f in
            let verdict = try await f.store.attempts.recordAttempt(
                bucket: f.bytes(), limit: 0, window: .minutes(1), now: f.now)
            try expectEqual(verdict, .refused(until: f.now + .minutes(1)))
        },
    ]

    static let tokenStates: [ConformanceCase] = [
        ConformanceCase("a token is active while it is not revoked and its grant is active") { f in
            let grant = try await f.redeemedGrant()
            let jti = f.bytes(16)
            func state(_ grant: Identifier<Grant>?) async throws -> TokenState {
                try await f.store.tokenStates.tokenState(jti: jti, grant: grant, now: f.now)
            }
            try expectEqual(await state(grant.id), .active)
            try expectEqual(await state(nil), .active)
            try expectEqual(await state(f.identifier()), .revoked)
            let mark = OneTimeIdentifier(.revokedToken, key: jti)
            _ = try await f.store.challenges.markUsed(mark, expiresAt: f.now + .hours(1))
            try expectEqual(await state(grant.id), .revoked)
            try expectEqual(await state(nil), .revoked)
        },
        ConformanceCase("a mark of another kind revokes nothing") { f in
            let jti = f.bytes(16)
            let mark = OneTimeIdentifier(.clientAssertion, key: jti)
            _ = try await f.store.challenges.markUsed(mark, expiresAt: f.now + .hours(1))
            try expectEqual(
                await f.store.tokenStates.tokenState(jti: jti, grant: nil, now: f.now), .active)
        },
        ConformanceCase("a token of an expired or revoked grant is not active") { f in
            let grant = try await f.redeemedGrant()
            let over = try await f.store.tokenStates.tokenState(
                jti: [1], grant: grant.id, now: grant.expiresAt)
            try expectEqual(over, .revoked)
            try await f.store.grants.revoke(grant: grant.id, now: f.now)
            let revoked = try await f.store.tokenStates.tokenState(
                jti: [1], grant: grant.id, now: f.now)
            try expectEqual(revoked, .revoked)
        },
    ]
}
