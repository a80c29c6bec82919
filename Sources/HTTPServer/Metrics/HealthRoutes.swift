// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Synchronization

/// Whether the server accepts requests: set at its start and when it stops.
package final class Readiness: Sendable {
    private let ready = Atomic<Bool>(false)

    package init() {}

    package var isReady: Bool {
        get { ready.load(ordering: .acquiring) }
        set { ready.store(newValue, ordering: .releasing) }
    }
}

/// `/health/live`, which asks nothing, `/health/ready`, which asks the store, and `/metrics` where
/// they are to be read: at the root of the listener, whatever the issuer's path is, and below it.
package struct HealthRoutes: HTTPRouteGroup {
    private let readiness: Readiness
    private let isAvailable: @Sendable () async -> Bool
    private let metrics: Metrics?
    private let version: String
    private let build: String

    /// - Parameters:
    ///   - isAvailable: whether the store responds.
    ///   - metrics: `nil` on a listener that the world can reach.
    package init(
        readiness: Readiness, isAvailable: @escaping @Sendable () async -> Bool = { true },
        metrics: Metrics?, version: String, build: String
    ) {
        self.isAvailable = isAvailable
        self.readiness = readiness
        self.metrics = metrics
        self.version = version
        self.build = build
    }

    package func routes() -> [HTTPRoute] {
        let health = [
            HTTPRoute(ofProcess: "/health/live") { .json(Self.live) },
            HTTPRoute(ofProcess: "/health/ready") { await ready() },
        ]
        guard let metrics else { return health }
        return health + [HTTPRoute(ofProcess: "/metrics") { await page(metrics) }]
    }

    private static let live = (["status": "live"] as JSONValue).bytes

    private func ready() async -> ServerResponse {
        var isReady = readiness.isReady
        if isReady { isReady = await isAvailable() }
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
