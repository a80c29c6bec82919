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
        ConformanceCase("a job has one holder at a time, until it is released") { f in
            let (first, second): (Identifier<ServerLease>, Identifier<ServerLease>) = (
                f.identifier(), f.identifier()
            )
            func acquire(_ holder: Identifier<ServerLease>) async throws -> Int64? {
                try await f.store.serverLeases.acquire(
                    job: "job \(f.project.id)", holder: holder, for: .hours(1))
            }
            try expectEqual(await acquire(first), 1)
            try expectEqual(await acquire(second), nil)
            try expectEqual(await acquire(first), 1)
            try await f.store.serverLeases.release(job: "job \(f.project.id)", holder: second)
            try expectEqual(await acquire(second), nil)
            try await f.store.serverLeases.release(job: "job \(f.project.id)", holder: first)
            try expectEqual(await acquire(second), 2)
            try expectEqual(await acquire(first), nil)
        },
        ConformanceCase("of eight racers for short leases never two have one epoch") { f in
            let held = try await race(8) { _ in
                let holder: Identifier<ServerLease> = f.identifier()
                var epochs: Set<Int64> = []
                for _ in 0..<40 {
                    let epoch = try await f.store.serverLeases.acquire(
                        job: "race \(f.project.id)", holder: holder,
                        for: TimeSpan(milliseconds: 5))
                    if let epoch { epochs.insert(epoch) }
                }
                return epochs
            }
            let all = held.flatMap(\.self)
            try expect(!all.isEmpty)
            try expectEqual(all.count, Set(all).count)
        },
        ConformanceCase("the sweep deletes expired leases") { f in
            let past = Timestamp(seconds: 900_000_000)
            try await f.store.serverLeases.renew(
                ServerLease(id: f.identifier(), name: "gone", expiresAt: past))
            try expectEqual(await f.store.maintenance.sweep(now: past, batch: 10).deleted, 1)
        },
    ]
}
