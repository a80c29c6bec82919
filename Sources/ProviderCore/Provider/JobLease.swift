// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Storage

/// A lease for a job that only one of the processes of a database performs at a time.
package struct JobLease: Sendable {
    private let store: any ServerLeaseStore
    private let job: String
    private let holder: Identifier<ServerLease>
    private let lifetime: TimeSpan

    /// - Parameter lifetime: after which the lease of a killed process expires.
    package init(_ job: String, _ provider: Provider, lifetime: TimeSpan = .minutes(2)) {
        self.job = job
        self.lifetime = lifetime
        store = provider.store.serverLeases
        holder = Identifier(now: provider.clock.now, random: provider.random)
    }

    /// Acquires or renews the lease. Returns `false` if another process performs the job.
    package func acquire() async throws -> Bool {
        try await store.acquire(job: job, holder: holder, for: lifetime) != nil
    }

    /// Performs the job if no other process does. Long jobs renew the lease with ``acquire()``.
    package func perform(_ body: () async throws -> Void) async throws {
        guard try await acquire() else { return }
        do { try await body() } catch {
            try? await release()
            throw error
        }
        try await release()
    }

    /// Performs the job after other processes, and renews the lease in the meantime. Returns `nil`
    /// if others perform it for longer than `patience`.
    package func performNext<Value: Sendable>(
        patience: Duration, pause: Duration = .milliseconds(250),
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value? {
        let end = ContinuousClock.now + patience
        while try await !acquire() {
            guard ContinuousClock.now < end else { return nil }
            try await Task.sleep(for: pause)
        }
        let renewal = Task {
            let pause = Duration.milliseconds(lifetime.milliseconds / 3)
            while (try? await Task.sleep(for: pause)) != nil { _ = try? await acquire() }
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        renewal.cancel()
        await renewal.value
        // A lease that cannot be released expires.
        try? await release()
        return try result.get()
    }

    private func release() async throws { try await store.release(job: job, holder: holder) }
}
