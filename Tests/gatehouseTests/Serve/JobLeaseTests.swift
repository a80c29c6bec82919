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

    private func performed(_ lease: JobLease) async throws -> Int? {
        try await lease.performNext(patience: .zero) { 1 }
    }

    @Test("A process performs a job next, unless another one performs it for too long")
    func next() async throws {
        let (one, two) = (JobLease("state", first), JobLease("state", second))
        let busy = try await one.performNext(patience: .zero) { try await performed(two) }
        #expect(busy == .some(nil))
        #expect(try await performed(two) == 1)
        await #expect(throws: Failed.self) {
            _ = try await one.performNext(patience: .zero) { () -> Int in throw Failed() }
        }
        #expect(try await performed(two) == 1)
    }

    @Test("The lease of a killed process expires")
    func killed() async throws {
        let killed = JobLease("state", first, lifetime: TimeSpan(milliseconds: 20))
        #expect(try await killed.acquire())
        let two = JobLease("state", second)
        let value = try await two.performNext(
            patience: .seconds(20), pause: .milliseconds(1)
        ) { 1 }
        #expect(value == 1)
    }

    @Test("A job that failed is free for other processes")
    func failed() async throws {
        let (one, two) = (JobLease("sweep", first), JobLease("sweep", second))
        await #expect(throws: Failed.self) { try await one.perform { throw Failed() } }
        #expect(try await runs(two))
    }
}
