// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import ArgumentParser
import CommandLineSupport
import Foundation
import HTTPServer
import IdentityProvider
import Logging
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSupport
import ServiceLifecycle
import Storage
import Support
import Synchronization
import Testing
import WebPages

@testable import gatehouse

/// Commands that find a provider on this machine by its `server.json`.
@Suite(.timeLimit(.minutes(2)))
struct IssuerPathCommandTests {
    private let folder = TestFolder()

    @Test(
        "admin, plan and apply reach a provider whose issuer has a path through server.json",
        arguments: ["", "/auth", "/id/v1.2"])
    func commands(_ base: String) async throws {
        try await withServer("http://localhost" + base) { provider, place in
            let data = folder.path("data")
            #expect(try DataDirectory(path: data).readServer() == place)
            let state = folder.path("state.yaml")
            try Data("projects:\n  - {name: made, environment: development}\n".utf8)
                .write(to: URL(filePath: state))
            try await run("plan", state, "--data-dir", data)
            #expect(try await provider.store.projects.project(named: "made") == nil)
            try await run("apply", state, "--data-dir", data)
            #expect(try await provider.store.projects.project(named: "made") != nil)
            try await run("admin", "projects", "create", "more", "--data-dir", data)
            #expect(try await provider.store.projects.project(named: "more") != nil)
            try await run(
                "admin", "projects", "list", "--server", place, "--token-file",
                DataDirectory(path: data).adminToken)
        }
    }

    @Test("admin token rotate leaves the file that the server has written, with its owner")
    func rotation() async throws {
        let written = Mutex<Int?>(nil)
        let save: AdminToken.Save = { [self] fresh in
            try SecretFile.replace(tokenFile, fresh.reveal() + [UInt8(ascii: "\n")])
            let number = try fileNumber()
            written.withLock { $0 = number }
        }
        try await withServer("http://localhost", save: save) { provider, _ in
            try await run("admin", "token", "rotate", "--data-dir", folder.path("data"))
            #expect(try written.withLock { $0 } == fileNumber())
            // The next command uses the new token.
            try await run("admin", "projects", "list", "--data-dir", folder.path("data"))
        }
    }

    private var tokenFile: String { DataDirectory(path: folder.path("data")).adminToken }

    private func fileNumber() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: tokenFile)[.systemFileNumber] as? Int
    }

    private func run(_ arguments: String...) async throws {
        var command = try Gatehouse.parseAsRoot(arguments)
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    /// - Parameter body: gets the address that the commands use.
    private func withServer(
        _ issuer: String, save: @escaping AdminToken.Save = { _ in },
        _ body: @escaping @Sendable (Provider, String) async throws -> Void
    ) async throws {
        let provider = try await TestProvider.empty(issuer: issuer)
        try await ProviderBootstrap.ensureDefaults(provider)
        let directory = try DataDirectory.open(folder.path("data"))
        let secret = try directory.adminToken(orNew: Secret("gha_path"))
        let admin = AdminAPI(
            provider, token: try await AdminToken(secret, provider, save: save),
            notices: LocalizedNotificationComposer(try WebResources().translations))
        let listener = Listener(
            .init(host: "127.0.0.1", port: 0),
            dispatcher: Dispatcher(provider: provider, groups: [admin]))
        let notice = StartupMessage(
            ProviderServices(provider: provider, metrics: Metrics(), metadata: nil, isNew: false),
            try ServeConfiguration(
                SettingValues(flags: ["issuer": [issuer]], environment: [:], file: nil)), directory)
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let group = ServiceGroup(
            services: [
                try listener.service { port in
                    await notice.publish(port: port)
                    ready.yield(port)
                }
            ], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await port in ports {
                try await body(provider, "http://127.0.0.1:\(port)\(IssuerAddress(issuer).path)")
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
