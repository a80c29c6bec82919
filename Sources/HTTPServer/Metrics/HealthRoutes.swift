// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
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

/// `/health/live`, `/health/ready`, and `/metrics` where they are to be read: at the root of the
/// listener, whatever the issuer's path is, and below that path.
package struct HealthRoutes: HTTPRouteGroup {
    private let readiness: Readiness
    private let metrics: Metrics?
    private let version: String
    private let build: String

    /// - Parameter metrics: `nil` on a listener that the world can reach.
    package init(readiness: Readiness, metrics: Metrics?, version: String, build: String) {
        self.readiness = readiness
        self.metrics = metrics
        self.version = version
        self.build = build
    }

    package func routes() -> [HTTPRoute] {
        let health = [
            HTTPRoute(.get, "/health/live", bodyLimit: 0, isOfHost: true) { _ in .json(Self.live) },
            HTTPRoute(.get, "/health/ready", bodyLimit: 0, isOfHost: true) { _ in ready() },
        ]
        guard let metrics else { return health }
        return health + [
            HTTPRoute(.get, "/metrics", bodyLimit: 0, isOfHost: true) { _ in await page(metrics) }
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

    private func page(_ metrics: Metrics) async -> ServerResponse {
        ServerResponse(
            status: .ok,
            headers: [.contentType: MetricsPage.mediaType, .cacheControl: "no-store"],
            body: Array(await metrics.page().text.utf8))
    }
}
