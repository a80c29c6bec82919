// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let maintenance: [ConformanceCase] = [
        ConformanceCase("a store in use verifies, and says what it holds") { f in
            _ = try await f.redeemedGrant()
            try expectEqual(await f.store.maintenance.verify(), [])
            let status = try await f.store.maintenance.status()
            try expectEqual(status.pendingSteps, [])
            try expectEqual(status.schemaVersion, status.latestSchemaVersion)
            try expect((status.rows["grants"] ?? 0) > 0)
            try expect(status.bytes > 0)
            try expectEqual(await f.store.maintenance.migrate(), [])
        },
        ConformanceCase("of many master keys one is recorded, for everybody") { f in
            let recorded = try await race(20) { _ in
                try await f.store.maintenance.recordMasterKey(fingerprint: f.bytes())
            }
            try expectEqual(Set(recorded).count, 1)
            try expectEqual(await f.store.maintenance.masterKeyFingerprint(), recorded.first)
        },
        ConformanceCase("the store returns the expiry of its next row") { f in
            // Earlier than everything in a store that cases share, and swept again.
            let past = Timestamp(seconds: 800_000_000)
            var challenge = f.makeChallenge()
            challenge.expiresAt = past + .hours(2)
            try await f.store.challenges.issue(challenge)
            try expectEqual(await f.store.maintenance.nextExpiry(), past + .hours(2))
            try await f.store.serverLeases.renew(
                ServerLease(id: f.identifier(), name: "gone", expiresAt: past + .hours(1)))
            try expectEqual(await f.store.maintenance.nextExpiry(), past + .hours(1))
            _ = try await f.store.maintenance.sweep(now: past + .hours(2), batch: 10)
            let next = try await f.store.maintenance.nextExpiry()
            try expect(next != past + .hours(1) && next != past + .hours(2))
        },
        ConformanceCase("the sweep deletes expired rows, in batches, and leaves the rest") { f in
            // A time before all others, so that cases which share the store are left alone.
            let past = Timestamp(seconds: 1_000_000_000)
            let old = (0..<5).map { number in
                var challenge = f.makeChallenge()
                challenge.expiresAt = past + .seconds(Int64(number))
                return challenge
            }
            for challenge in old { try await f.store.challenges.issue(challenge) }
            let living = f.makeChallenge()
            try await f.store.challenges.issue(living)
            let end = past + .seconds(10)
            let first = try await f.store.maintenance.sweep(now: end, batch: 3)
            try expectEqual(first, SweepOutcome(deleted: 3, lag: .seconds(10)))
            let second = try await f.store.maintenance.sweep(now: end, batch: 3)
            try expectEqual(second, SweepOutcome(deleted: 2, lag: .seconds(7)))
            let third = try await f.store.maintenance.sweep(now: end, batch: 3)
            try expectEqual(third, SweepOutcome(deleted: 0, lag: .seconds(0)))
            let found = try await f.store.challenges.consumeChallenge(
                hash: living.hash, purpose: living.purpose, in: living.project, now: f.now)
            try expectEqual(found, living)
        },
    ]
}
