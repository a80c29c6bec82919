// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import ProviderSupport
import StorageSQLite
import Synchronization
import Testing

@testable import gatehouse

/// Jobs that one process at a time performs: the sweep and the rotation of keys.
@Suite struct JobLeaseTests {
    struct Failed: Error {}

    private let first: Provider
    private let second: Provider

    init() async throws {
        let store = try await SQLiteStore.temporary()
        first = try await TestProvider.empty(store: store)
        second = try await TestProvider.empty(store: store)
    }

    private func runs(_ lease: JobLease) async throws -> Bool {
        let hasRun = Mutex(false)
        try await lease.perform { hasRun.withLock { $0 = true } }
        return hasRun.withLock { $0 }
    }

    @Test("While one process performs a job, another one does not; afterwards it does")
    func oneAtATime() async throws {
        let (one, two) = (JobLease("sweep", first), JobLease("sweep", second))
        let other = JobLease("signing-keys", second)
        try await one.perform {
            let outcomes = [
                try await runs(two), try await runs(other), try await one.acquire(),
            ]
            #expect(outcomes == [false, true, true])
        }
        #expect(try await runs(two))
        #expect(try await runs(one))
    }

    @Test("A job that failed is free for other processes")
    func failed() async throws {
        let (one, two) = (JobLease("sweep", first), JobLease("sweep", second))
        await #expect(throws: Failed.self) { try await one.perform { throw Failed() } }
        #expect(try await runs(two))
    }
}
