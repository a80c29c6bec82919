// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Logging
import Primitives
import ProviderCore
import ServiceLifecycle
import Storage
import Synchronization

/// Deletes expired rows in batches when the next row expires. It waits at least a minute, so that
/// rows are deleted together, and at most ten, because new rows may expire earlier than the known
/// ones.
struct StoreSweeper: Service {
    private let provider: Provider
    private let lag: Lag
    /// One process at a time sweeps.
    private let lease: JobLease
    private let afterwards: @Sendable () async -> Void

    /// The time since the oldest row of the last sweep expired, in milliseconds.
    private final class Lag: Sendable {
        let milliseconds = Atomic<Int64>(0)
    }

    private static let shortest = TimeSpan.minutes(1)
    private static let maximumPause = TimeSpan.minutes(10)
    private static let batch = 500

    /// - Parameter afterwards: Runs after each sweep.
    init(
        _ provider: Provider, metrics: Metrics,
        afterwards: @escaping @Sendable () async -> Void = {}
    ) {
        self.provider = provider
        self.afterwards = afterwards
        lease = JobLease("sweep", provider)
        let lag = Lag()
        self.lag = lag
        metrics.addGauge(
            "gatehouse_sweeper_lag_seconds", "How long the oldest swept row had been expired."
        ) { Double(lag.milliseconds.load(ordering: .relaxed)) / 1000 }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var pause = Self.shortest
            while !Task.isCancelled {
                let sleep = Duration.milliseconds(pause.milliseconds)
                guard (try? await Task.sleep(for: sleep)) != nil else { return }
                await sweep()
                await afterwards()
                pause = await nextPause()
                // Counts of finished minutes become audit events even when nothing happens.
                await provider.audit.flush()
            }
        }
    }

    private func nextPause() async -> TimeSpan {
        // A store that cannot be asked is asked again soon.
        do {
            let next = try await provider.store.maintenance.nextExpiry()
            return Self.pause(until: next, now: provider.clock.now)
        } catch {
            return Self.shortest
        }
    }

    static func pause(until next: Timestamp?, now: Timestamp) -> TimeSpan {
        guard let next else { return maximumPause }
        return min(max(next - now, shortest), maximumPause)
    }

    private func sweep() async {
        do {
            try await lease.perform {
                var outcome: SweepOutcome
                var continues: Bool
                repeat {
                    outcome = try await provider.store.maintenance.sweep(
                        now: provider.clock.now, batch: Self.batch)
                    lag.milliseconds.store(outcome.lag.milliseconds, ordering: .relaxed)
                    continues = outcome.deleted >= Self.batch && !Task.isCancelled
                    if continues { continues = try await lease.acquire() }
                } while continues
            }
        } catch {
            provider.log.error("sweep failed", metadata: ["error": "\(error)"])
        }
    }
}
