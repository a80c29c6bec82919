// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let serverLeases: [ConformanceCase] = [
        ConformanceCase("a lease is active until its expiry, unless it is renewed or released") {
            f in
            // Cases may share a store, and with it the leases.
            func mine(at time: Timestamp) async throws -> [ServerLease] {
                try await f.store.serverLeases.serverLeases(now: time).filter {
                    $0.name == "\(f.project.id)"
                }
            }
            var lease = ServerLease(
                id: f.identifier(), name: "\(f.project.id)", expiresAt: f.now + .minutes(3))
            try expectEqual(await mine(at: f.now), [])
            try await f.store.serverLeases.renew(lease)
            try expectEqual(await mine(at: f.now + .minutes(3) - .seconds(1)), [lease])
            try expectEqual(await mine(at: f.now + .minutes(3)), [])
            lease.expiresAt = f.now + .minutes(5)
            try await f.store.serverLeases.renew(lease)
            try expectEqual(await mine(at: f.now + .minutes(4)), [lease])
            try await f.store.serverLeases.release(lease: f.identifier())
            try expectEqual(await mine(at: f.now + .minutes(4)), [lease])
            try await f.store.serverLeases.release(lease: lease.id)
            try expectEqual(await mine(at: f.now), [])
            try await f.store.serverLeases.release(lease: lease.id)
        },
        ConformanceCase("the sweep deletes expired leases") { f in
            let past = Timestamp(seconds: 900_000_000)
            try await f.store.serverLeases.renew(
                ServerLease(id: f.identifier(), name: "gone", expiresAt: past))
            try expectEqual(await f.store.maintenance.sweep(now: past, batch: 10).deleted, 1)
        },
    ]
}
