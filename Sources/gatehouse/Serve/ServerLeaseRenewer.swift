// SPDX-License-Identifier: Apache-2.0
import Logging
import Platform
import Primitives
import ProviderAdministration
import ProviderCore
import ServiceLifecycle
import Storage

/// Renews the lease of this process in the store, and the validity of its token of the Admin API.
/// As long as a lease is active, `store restore` refuses to run.
///
/// The lease and the token of a killed process remain active until they expire.
struct ServerLeaseRenewer: Service {
    static let lifetime = TimeSpan.minutes(3)
    private static let pause = Duration.seconds(60)

    private let provider: Provider
    private let token: AdminToken
    private let id: Identifier<ServerLease>

    init(_ provider: Provider, token: AdminToken) {
        self.provider = provider
        self.token = token
        id = Identifier(now: provider.clock.now, random: provider.random)
    }

    /// Creates the lease, before anything is served.
    func acquire() async throws { try await provider.store.serverLeases.renew(lease) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.pause)) != nil { await renew() }
        }
        // The process is about to end. What cannot be released expires soon.
        try? await provider.store.serverLeases.release(lease: id)
        try? await token.expire()
    }

    private func renew() async {
        do {
            try await provider.store.serverLeases.renew(lease)
            try await token.renew()
        } catch {
            provider.log.error("server lease not renewed", metadata: ["error": "\(error)"])
        }
    }

    private var lease: ServerLease {
        ServerLease(
            id: id, name: "\(Machine.hostName ?? "localhost"):\(CurrentProcess.id)",
            expiresAt: provider.clock.now + Self.lifetime)
    }
}
