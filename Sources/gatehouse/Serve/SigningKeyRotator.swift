// SPDX-License-Identifier: Apache-2.0
import Logging
import Primitives
import ProviderAdministration
import ProviderCore
import ServiceLifecycle

/// Rotates and retires signing keys by schedule, in one process of those that share a database.
struct SigningKeyRotator: Service {
    private let provider: Provider
    private let schedule: SigningKeySchedule
    private let lease: JobLease

    private static let pause = Duration.seconds(3600)

    init(_ provider: Provider, every period: TimeSpan?) {
        self.provider = provider
        schedule = SigningKeySchedule(provider, every: period)
        lease = JobLease("signing-keys", provider)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { await rotate() } while (try? await Task.sleep(for: Self.pause)) != nil
        }
    }

    private func rotate() async {
        do {
            try await lease.perform {
                let changes = try await schedule.run()
                guard changes > 0 else { return }
                provider.log.notice("signing keys rotated", metadata: ["changes": "\(changes)"])
            }
        } catch {
            provider.log.error("signing keys not rotated", metadata: ["error": "\(error)"])
        }
    }
}
