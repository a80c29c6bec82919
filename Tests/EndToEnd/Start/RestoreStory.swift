// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

extension EndToEnd {
    /// `store restore` while a server runs.
    @Suite("Restoring")
    struct RestoreStory {
        @Test("restoring over a SQLite file that a server uses is refused until it stops")
        func sqlite() async throws {
            let server = try await ServerProcess("restore-sqlite")
            try await check(server, place: ["--data-dir", server.dataDirectory])
        }

        @Test(
            "restoring into PostgreSQL is refused while a server's lease lives",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func postgreSQL() async throws {
            let url = try PostgreSQLServer.shared().makeDatabase().revealText()
            let server = try await ServerProcess(
                "restore-postgresql", arguments: ["--database", url])
            try await check(server, place: ["--database", url], mayForce: true)
        }

        private func check(
            _ server: ServerProcess, place: [String], mayForce: Bool = false
        ) async throws {
            let backup = server.data.file("backup").path()
            func store(_ verb: String, _ more: String...) async throws -> Command.Outcome {
                try await Command.run(
                    Repository.gatehouse, ["store", verb, backup] + place + more)
            }
            #expect(try await store("backup").status == 0)
            let refused = try await store("restore")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("a provider serves from"), "\(refused.errors)")
            if mayForce { #expect(try await store("restore", "--force").status == 0) }
            try await server.stop()
            let done = try await store("restore")
            #expect(done.status == 0, "\(done.errors)")
        }
    }
}
