// SPDX-License-Identifier: Apache-2.0
import Foundation
import IdentityProvider
import Logging
import NIOPosix
import ProviderCore
import ProviderSupport
import ServiceLifecycle

@testable import HTTPServer

/// Runs `body` with the port of a listener that ends afterwards.
func listening(
    to groups: (Provider) async throws -> [any HTTPRouteGroup], tls: TLSIdentity? = nil,
    issuer: String = TestProvider.issuer, log: Logger? = nil,
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
    let provider = try await TestProvider.empty(issuer: issuer, log: log)
    try await ProviderBootstrap.ensureDefaults(provider)
    let listener = Listener(
        .init(host: "127.0.0.1", port: 0, tls: tls),
        dispatcher: Dispatcher(provider: provider, groups: try await groups(provider)),
        group: MultiThreadedEventLoopGroup.singleton)
    let (ports, ready) = AsyncStream.makeStream(of: Int.self)
    let service = try listener.service { ready.yield($0) }
    let group = ServiceGroup(
        services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        for await port in ports {
            try await body(port)
            break
        }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
}

func curl(_ arguments: String...) async throws -> String { try await curl(arguments) }

func curl(_ arguments: [String]) async throws -> String {
    try await runTool("/usr/bin/curl", ["-s", "--max-time", "20"] + arguments)
}
