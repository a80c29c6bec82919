// SPDX-License-Identifier: Apache-2.0
import Logging
import Primitives
import ProviderAdministration
import ProviderCore
import ServiceLifecycle

/// Renews the lease of this process in the store, and the validity of its token of the Admin API.
/// The token of a killed process remains active until it expires.
struct ServerLeaseRenewer: Service {
    private static let pause = Duration.seconds(60)

    let presence: ServerPresence
    let token: AdminToken
    let log: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.pause)) != nil { await renew() }
        }
        // The process is about to end. What cannot be released expires soon.
        await presence.leave()
        try? await token.expire()
    }

    private func renew() async {
        do {
            try await presence.renew()
            try await token.renew()
        } catch {
            log.error("server lease not renewed", metadata: ["error": "\(error)"])
        }
    }
}
