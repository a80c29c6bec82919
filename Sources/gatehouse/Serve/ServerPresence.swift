// SPDX-License-Identifier: Apache-2.0
import Platform
import Primitives
import Storage

/// The lease of this process in a database that processes share. While it is active, `store restore`
/// refuses to run. The lease of a killed process remains active until it expires.
struct ServerPresence: Sendable {
    static let lifetime = TimeSpan.minutes(3)
    static var processName: String { "\(Machine.hostName ?? "localhost"):\(CurrentProcess.id)" }

    private let store: any ProviderStore
    private let clock: any WallClock
    private let id: Identifier<ServerLease>

    init(_ store: any ProviderStore, clock: any WallClock, random: any RandomSource) {
        (self.store, self.clock) = (store, clock)
        id = Identifier(now: clock.now, random: random)
    }

    /// Creates the lease, and then looks for a restore. A restore records itself and then looks for
    /// leases, so of two that start at once at least one refuses.
    ///
    /// - Throws: ``CommandError`` if a restore has begun and not ended. Then there is no lease.
    func enter() async throws {
        try await renew()
        do { try await store.maintenance.refuseUnfinishedRestore() } catch {
            await leave()
            throw error
        }
    }

    func renew() async throws {
        try await store.serverLeases.renew(
            ServerLease(id: id, name: Self.processName, expiresAt: clock.now + Self.lifetime))
    }

    /// What cannot be released expires soon.
    func leave() async { try? await store.serverLeases.release(lease: id) }
}
