// SPDX-License-Identifier: Apache-2.0
import Foundation
import IdentityProvider
import ProviderCore
import ProviderSupport
import Storage
import StorageSQLite
import Support
import Testing

@testable import gatehouse

/// State files that a process applies at its start and at SIGHUP.
@Suite struct StateFilesTests {
    private let folder = TestFolder()
    private let log = LogLines()
    private let provider: Provider

    init() async throws {
        provider = try await TestProvider.empty(log: log.logger)
        try await ProviderBootstrap.ensureDefaults(provider)
    }

    private func load(_ name: String) async throws {
        let text = """
            projects:
              - name: default
                clients:
                  - {client_id: shop, client_name: \(name), redirect_uris: ["https://a.example/"]}
            """
        let path = folder.path("state.yaml")
        try Data(text.utf8).write(to: URL(filePath: path))
        try await StateFiles(provider).apply([path])
    }

    private func name() async throws -> String? {
        let project = try #require(try await provider.store.projects.project(named: "default"))
        return try await provider.store.clients.client(clientID: "shop", in: project.id)?
            .metadata.clientName
    }

    @Test("A file that is older than the applied one is not applied, and the log says what to do")
    func older() async throws {
        try await load("old")
        try await load("new")
        try await load("old")
        #expect(try await name() == "new")
        let line = try #require(log.lines.first { $0.hasPrefix("state file not applied") })
        #expect(line.contains("gatehouse apply") && line.contains("process="), "\(line)")
        #expect(line.contains(" file=\(folder.path("state.yaml"))"), "\(line)")
    }
}
