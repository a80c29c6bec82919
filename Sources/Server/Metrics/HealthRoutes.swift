// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Synchronization

/// Whether the server wants requests: told by who starts and stops it.
package final class Readiness: Sendable {
    private let ready = Atomic<Bool>(false)

    package init() {}

    package var isReady: Bool {
        get { ready.load(ordering: .acquiring) }
        set { ready.store(newValue, ordering: .releasing) }
    }
}

/// `/health/live`, `/health/ready` and `/metrics`.
package struct HealthRoutes: RouteGroup {
    private let readiness: Readiness
    private let metrics: Metrics
    private let version: String
    private let build: String
    private let loopbackOnly: Bool

    /// - Parameter loopbackOnly: whether metrics are shown to this machine only: on a listener
    ///   that the world can reach.
    package init(
        readiness: Readiness, metrics: Metrics, version: String, build: String, loopbackOnly: Bool
    ) {
        self.readiness = readiness
        self.metrics = metrics
        self.version = version
        self.build = build
        self.loopbackOnly = loopbackOnly
    }

    package func routes() -> [Route] {
        [
            Route(.get, "/health/live", bodyLimit: 0) { _ in .json(Self.live) },
            Route(.get, "/health/ready", bodyLimit: 0) { _ in ready() },
            Route(.get, "/metrics", bodyLimit: 0) { request in await page(request) },
        ]
    }

    private static let live = (["status": "live"] as JSONValue).bytes

    private func ready() -> ServerResponse {
        let isReady = readiness.isReady
        let body: JSONValue = [
            "status": isReady ? "ready" : "not ready", "version": .string(version),
            "build": .string(build),
        ]
        return .json(body.bytes, status: isReady ? .ok : .serviceUnavailable)
    }

    private func page(_ request: ServerRequest) async -> ServerResponse {
        guard !loopbackOnly || Self.isLoopback(request.facts.address) else {
            return Problem.response(
                .notFound, code: "not_found", message: "There is nothing at this address.",
                requestID: request.facts.requestID)
        }
        return ServerResponse(
            status: .ok,
            headers: [.contentType: MetricsPage.mediaType, .cacheControl: "no-store"],
            body: Array(await metrics.page().text.utf8))
    }

    private static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}
