// SPDX-License-Identifier: Apache-2.0
import Foundation
import IdentityProvider
import Primitives
import ProviderAdministration
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

    private var path: String { folder.path("state.yaml") }

    private func write(_ name: String) throws {
        let text = """
            projects:
              - name: default
                clients:
                  - client_id: shop
                    client_name: \(name)
                    redirect_uris: ["https://a.example/"]
                    token_endpoint_auth_method: none
            """
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func load(_ name: String) async throws {
        try write(name)
        try await StateFiles(provider).apply([path])
    }

    /// A process of another host loads its file.
    private func loadElsewhere(_ name: String) async throws {
        try write(name)
        let facts = RequestMetadata(now: provider.clock.now, requestID: "r", address: "local")
        _ = try await ConfiguredStateFile(
            provider, path: path, document: StateDocument.read(path).json, host: "elsewhere"
        ).apply(facts: facts).get()
    }

    private func name() async throws -> String? {
        let project = try #require(try await provider.store.projects.project(named: "default"))
        return try await provider.store.clients.client(clientID: "shop", in: project.id)?
            .metadata.clientName
    }

    @Test(
        "A file that is older than that of another host is not applied, and the log says what to do"
    )
    func older() async throws {
        try await load("old")
        try await loadElsewhere("new")
        try await load("old")
        #expect(try await name() == "new")
        let line = try #require(log.lines.first { $0.hasPrefix("state file not applied") })
        #expect(line.contains("gatehouse apply") && line.contains(" host=elsewhere"), "\(line)")
        #expect(line.contains(" file=\(path) "), "\(line)")
    }

    @Test("On one host a file is applied as it is, also when it is changed back")
    func changedBack() async throws {
        for version in ["old", "new", "old"] {
            try await load(version)
            #expect(try await name() == version)
        }
        #expect(!log.lines.contains { $0.hasPrefix("state file not applied") })
    }
}
