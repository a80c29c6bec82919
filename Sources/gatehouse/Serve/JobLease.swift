// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage

/// A lease for a job that only one of the processes of a database performs at a time.
struct JobLease: Sendable {
    private let store: any ServerLeaseStore
    private let job: String
    private let holder: Identifier<ServerLease>

    /// The lease of a killed process expires after this time.
    private static let lifetime = TimeSpan.minutes(2)

    init(_ job: String, _ provider: Provider) {
        self.job = job
        store = provider.store.serverLeases
        holder = Identifier(now: provider.clock.now, random: provider.random)
    }

    /// Acquires or renews the lease. Returns `false` if another process performs the job.
    func acquire() async throws -> Bool {
        try await store.acquire(job: job, holder: holder, for: Self.lifetime) != nil
    }

    /// Performs the job if no other process does. Long jobs renew the lease with ``acquire()``.
    func perform(_ body: () async throws -> Void) async throws {
        guard try await acquire() else { return }
        do { try await body() } catch {
            try? await store.release(job: job, holder: holder)
            throw error
        }
        try await store.release(job: job, holder: holder)
    }
}
