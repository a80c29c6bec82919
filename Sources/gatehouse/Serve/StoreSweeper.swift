// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Logging
import Primitives
import Server
import ServiceLifecycle
import Storage
import Synchronization

/// Deletes what has expired, once a minute, a batch at a time.
struct StoreSweeper: Service {
    private let provider: Provider
    private let lag: Lag

    /// How late the oldest row of the last sweep was, in milliseconds.
    private final class Lag: Sendable {
        let milliseconds = Atomic<Int64>(0)
    }

    private static let pause = Duration.seconds(60)
    private static let batch = 500

    init(_ provider: Provider, metrics: Metrics) {
        self.provider = provider
        let lag = Lag()
        self.lag = lag
        metrics.addGauge(
            "gatehouse_sweeper_lag_seconds", "How long the oldest swept row had been expired."
        ) { Double(lag.milliseconds.load(ordering: .relaxed)) / 1000 }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
                await sweep()
                // Counts of finished minutes become audit events even when nothing happens.
                await provider.audit.flush()
            }
        }
    }

    private func sweep() async {
        do {
            var outcome: SweepOutcome
            repeat {
                outcome = try await provider.store.sweep(
                    now: provider.clock.now, batch: Self.batch)
                lag.milliseconds.store(outcome.lag.milliseconds, ordering: .relaxed)
            } while outcome.deleted >= Self.batch && !Task.isCancelled
        } catch {
            provider.log.error("sweep failed", metadata: ["error": "\(error)"])
        }
    }
}
