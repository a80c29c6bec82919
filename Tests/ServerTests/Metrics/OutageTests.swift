// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import Primitives
import ProviderCore
import ProviderSupport
import Storage
import StorageSQL
import StorageSQLite
import Support
import Testing

@testable import HTTPServer

/// What the endpoints do while the database does not respond.
@Suite struct OutageTests {
    private let folder = TestFolder()
    private let log = LogLines()
    private let engine: StoppedEngine
    private let provider: Provider
    private let dispatcher: Dispatcher

    private struct Routes: HTTPRouteGroup {
        let provider: Provider

        func routes() -> [HTTPRoute] {
            [
                HTTPRoute(.get, "/static") { _ in .json([]) },
                HTTPRoute(.get, "/keys") { .json(try await provider.keys.jwks(of: $0.tenant)) },
            ]
        }
    }

    init() async throws {
        engine = StoppedEngine(try SQLiteEngine.passing(path: folder.path("store.sqlite")))
        let store = SQLStore(engine: engine, archives: SQLiteArchive())
        _ = try await store.maintenance.migrate()
        provider = try await TestProvider.empty(store: store, log: log.logger)
        try await ProviderBootstrap.ensureDefaults(provider)
        let readiness = Readiness()
        readiness.isReady = true
        let metrics = Metrics()
        metrics.addAvailability(provider.availability)
        let health = HealthRoutes(
            readiness: readiness, isAvailable: provider.availability.check, metrics: metrics,
            version: "1.2.3", build: "test")
        dispatcher = Dispatcher(
            provider: provider, groups: [health, Routes(provider: provider)],
            errorPage: { _, status, _ in
                ServerResponse(status: status, headers: [:], body: Array("page".utf8))
            })
    }

    private func get(_ path: String, accept: String? = nil) async throws -> ServerResponse {
        var request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
        request.headerFields[.accept] = accept
        let facts = RequestMetadata(now: provider.clock.now, requestID: "r", address: "127.0.0.1")
        switch try await dispatcher.destination(for: request, facts: facts, isSecure: false) {
        case .answer(let answer): return answer
        case .route(let route, let message):
            return await dispatcher.respond(to: message, by: route)
        }
    }

    private func errors() -> [String] {
        log.lines.filter { $0.contains("database") }
    }

    @Test("Live asks nothing, and ready follows the database")
    func health() async throws {
        #expect(try await get("/health/ready").status == .ok)
        engine.isStopped = true
        #expect(try await get("/health/live").status == .ok)
        try await eventually("not ready", within: .seconds(2)) {
            try await get("/health/ready").status == .serviceUnavailable ? true : nil
        }
        #expect(try await get("/metrics").status == .ok)
        engine.isStopped = false
        try await eventually("ready", within: .seconds(2)) {
            try await get("/health/ready").status == .ok ? true : nil
        }
    }

    @Test("A metric says whether the database responds, without a request that needs it")
    func metric() async throws {
        for isStopped in [false, true, false] {
            engine.isStopped = isStopped
            let line = "gatehouse_database_available \(isStopped ? 0.0 : 1.0)\n"
            try await eventually("the metric follows the database", within: .seconds(2)) {
                let page = try await get("/metrics")
                return String(decoding: page.body, as: UTF8.self).contains(line) ? true : nil
            }
        }
    }

    @Test("During an outage every other route is 503 with Retry-After, for people with a page")
    func everyRoute() async throws {
        #expect(try await get("/static").status == .ok)
        engine.isStopped = true
        _ = await provider.availability.check()
        try await eventually("unavailable") { provider.availability.isAvailable ? nil : true }
        for path in ["/static", "/keys", "/nowhere"] {
            let answer = try await get(path)
            #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "1")
        }
        let page = try await get("/static", accept: "text/html")
        #expect(page.status == .serviceUnavailable && page.headers[.retryAfter] == "1")
        #expect(String(decoding: page.body, as: UTF8.self) == "page")
    }

    @Test("An outage is one line of the log, and its end another")
    func loggedOnce() async throws {
        engine.isStopped = true
        for _ in 0..<20 {
            provider.keys.invalidate()
            _ = try await get("/keys")
        }
        try await eventually("noticed") { provider.availability.isAvailable ? nil : true }
        for _ in 0..<20 { _ = try await get("/keys") }
        #expect(errors().count == 1 && errors()[0].contains("does not respond"))
        engine.isStopped = false
        // Without a request: the database is asked until it responds.
        try await eventually("available") { provider.availability.isAvailable ? true : nil }
        try await eventually("logged") { errors().count == 2 ? true : nil }
        #expect(errors().last?.contains("responds again") == true)
        #expect(try await get("/keys").status == .ok)
    }

    @Test("One lost connection is no outage")
    func lostConnection() async throws {
        #expect(provider.availability.report(StorageError(.outcomeUnknown, "lost")))
        #expect(await provider.availability.check())
        #expect(provider.availability.isAvailable && errors().isEmpty)
        #expect(!provider.availability.report(StorageError(.conflict, "twice")))
    }
}
