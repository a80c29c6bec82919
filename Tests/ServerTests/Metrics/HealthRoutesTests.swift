// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import ProviderCore
import ProviderSupport
import Testing

@testable import HTTPServer

@Suite struct HealthRoutesTests {
    private let readiness = Readiness()

    private func get(
        _ path: String, withMetrics: Bool = false
    ) async throws -> ServerResponse {
        let provider = try await TestProvider.make()
        let routes = HealthRoutes(
            readiness: readiness, metrics: withMetrics ? Metrics() : nil, version: "1.2.3",
            build: "test")
        let dispatcher = Dispatcher(provider: provider, groups: [routes])
        let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
        let facts = RequestMetadata(now: provider.clock.now, requestID: "r", address: "127.0.0.1")
        switch try await dispatcher.destination(for: request, facts: facts, isSecure: false) {
        case .answer(let answer): return answer
        case .route(let route, let message):
            return await dispatcher.respond(to: message, by: route)
        }
    }

    @Test("Ready is 503 until it is, and says the version")
    func ready() async throws {
        #expect(try await get("/health/ready").status == .serviceUnavailable)
        readiness.isReady = true
        let answer = try await get("/health/ready")
        #expect(answer.status == .ok)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("1.2.3"))
    }

    @Test("Live is live")
    func live() async throws {
        #expect(try await get("/health/live").status == .ok)
    }

    @Test(
        "Attack 78: unasked, metrics are not on the main listener, not even for a proxy on this machine"
    )
    func metrics() async throws {
        #expect(try await get("/metrics").status == .notFound)
        #expect(try await get("/metrics", withMetrics: true).status == .ok)
    }
}
