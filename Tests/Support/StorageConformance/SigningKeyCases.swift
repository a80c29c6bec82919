// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let signingKeys: [ConformanceCase] = [
        ConformanceCase("keys are added once for each algorithm and state") { f in
            let keys = [f.makeKey(.active), f.makeKey(.next), f.makeKey(.active, "RS256")]
            try await f.store.signingKeys.addSigningKeys(keys)
            try await f.store.signingKeys.addSigningKeys([f.makeKey(.active), f.makeKey(.next)])
            let found = try await f.store.signingKeys.signingKeys(of: f.project.id)
            try expectEqual(Set(found.map(\.kid)), Set(keys.map(\.kid)))
            try expect(keys.allSatisfy(found.contains))
        },
        ConformanceCase("a rotation promotes the next key and keeps the old one published") { f in
            let active = f.makeKey(.active)
            let next = f.makeKey(.next)
            let successor = f.makeKey(.next)
            try await f.store.signingKeys.addSigningKeys([active, next])
            let later = f.now + .hours(1)
            let rotated = try await f.store.signingKeys.rotateSigningKey(
                of: f.project.id, promoting: next.kid, successor: successor, now: later)
            try expect(rotated)
            let found = try await f.store.signingKeys.signingKeys(of: f.project.id)
            func state(_ key: SigningKey) -> SigningKey.State? {
                found.first { $0.kid == key.kid }?.state
            }
            try expectEqual(state(active), .retiring)
            try expectEqual(state(next), .active)
            try expectEqual(state(successor), .next)
            try expectEqual(found.first { $0.kid == next.kid }?.changedAt, later)
        },
        ConformanceCase("a next key without an active one becomes active") { f in
            let (active, next) = (f.makeKey(.active), f.makeKey(.next, "RS256"))
            try await f.store.signingKeys.addSigningKeys([active, next])
            let rotated = try await f.store.signingKeys.rotateSigningKey(
                of: f.project.id, promoting: next.kid, successor: f.makeKey(.next, "RS256"),
                now: f.now)
            try expect(rotated)
            let found = try await f.store.signingKeys.signingKeys(of: f.project.id)
            try expectEqual(
                Set(found.filter { $0.state == .active }.map(\.kid)), [active.kid, next.kid])
            try expectEqual(found.count, 3)
        },
        ConformanceCase("without a next key nothing rotates") { f in
            let active = f.makeKey(.active)
            try await f.store.signingKeys.addSigningKeys([active])
            let rotated = try await f.store.signingKeys.rotateSigningKey(
                of: f.project.id, promoting: active.kid, successor: f.makeKey(.next), now: f.now)
            try expect(!rotated)
            try expectEqual(await f.store.signingKeys.signingKeys(of: f.project.id), [active])
        },
        ConformanceCase("only a retiring key is retired, and then no longer published") { f in
            let (active, next) = (f.makeKey(.active), f.makeKey(.next))
            try await f.store.signingKeys.addSigningKeys([active, next])
            func retire(_ kid: String) async throws -> Bool {
                try await f.store.signingKeys.retireSigningKey(
                    kid: kid, of: f.project.id, now: f.now)
            }
            try expect(await !retire(active.kid))
            _ = try await f.store.signingKeys.rotateSigningKey(
                of: f.project.id, promoting: next.kid, successor: f.makeKey(.next), now: f.now)
            try expect(await retire(active.kid))
            try expect(await !retire(active.kid))
            try expect(await !retire("no such kid"))
            let found = try await f.store.signingKeys.signingKeys(of: f.project.id)
            try expect(!found.contains { $0.kid == active.kid })
        },
    ]
}
