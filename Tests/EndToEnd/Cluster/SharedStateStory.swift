// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

extension EndToEndCluster {
    /// A state file of two processes on one PostgreSQL.
    @Suite("A state file of several processes")
    struct SharedStateStory {
        @Test(
            "two processes start with one file at once, load a newer one at SIGHUP, and apply documents at once",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func oneFile() async throws {
            let folder = try TemporaryDirectory()
            let file = try folder.write(Self.state(0), to: "state.yaml")
            let url = try PostgreSQLServer.shared().makeDatabase().revealText()
            let arguments = [
                "--database", url, "--master-key-file", folder.file("master.key").path(),
                "--apply", file.path(),
            ]
            for name in ["a", "b"] {
                let log = try Repository.outputFile("shared-state-\(name).log")
                try? FileManager.default.removeItem(at: log)
            }
            async let a = ServerProcess("shared-state-a", arguments: arguments)
            async let b = ServerProcess("shared-state-b", arguments: arguments)
            let servers = try await [a, b]
            #expect(try await Self.names(servers[0]) == ["app 0"])
            _ = try folder.write(Self.state(1), to: "state.yaml")
            for server in servers { kill(server.child.pid, SIGHUP) }
            for server in servers {
                try await eventually("\(server.name) has loaded its files") {
                    try Self.log(server).contains("reloaded") ? true : nil
                }
                #expect(try !Self.log(server).contains("reload failed"))
                #expect(try await Self.names(server) == ["app 1"])
            }
            // The last of two documents is applied as a whole.
            async let one: Void = servers[0].apply(Self.state(2))
            async let two: Void = servers[1].apply(Self.state(3))
            _ = try await (one, two)
            let names = (try await Self.names(servers[0]), try await Self.names(servers[1]))
            #expect(names.0.count == 1 && names.0 == names.1, "\(names)")
            for server in servers { try await server.stop() }
        }

        private static let clients = (0..<6).map { "app-\($0)" }

        private static func state(_ version: Int) -> String {
            let clients = clients.map { id -> JSON in
                [
                    "client_id": .string(id), "client_name": .string("app \(version)"),
                    "redirect_uris": ["https://a.example/"],
                    "token_endpoint_auth_method": "none",
                ]
            }
            return DeclaredState(clients: clients).text
        }

        /// The different names of the clients.
        private static func names(_ server: ServerProcess) async throws -> Set<String> {
            let token = try server.operatorToken
            var names: Set<String> = []
            for id in clients {
                let answer = try await server.get(
                    "/admin/v1/projects/default/clients/\(id)",
                    headers: [("Authorization", "Bearer \(token)")])
                names.insert(answer.json?["client_name"] as? String ?? answer.text)
            }
            return names
        }

        private static func log(_ server: ServerProcess) throws -> String {
            try String(contentsOf: server.child.log, encoding: .utf8)
        }
    }
}
