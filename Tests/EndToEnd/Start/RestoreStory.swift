// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import StoragePostgreSQL
import StorageSQL
import StorageSQLite
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

        @Test(
            "Attack 108: after a restore that was killed no provider serves until it is repeated or abandoned",
            arguments: StoryDatabase.available)
        func killed(_ database: StoryDatabase) async throws {
            let options = try database.options()
            let server = try await ServerProcess(
                "restore-killed-\(database)", arguments: options)
            let place = options.isEmpty ? ["--data-dir", server.dataDirectory] : options
            let backup = server.data.file("backup").path()
            func store(_ words: String...) async throws -> Command.Outcome {
                try await Command.run(Repository.gatehouse, ["store"] + words + place)
            }
            #expect(try await store("backup", backup).status == 0)
            try await server.stop()
            for ending in [["restore", "--abandon"], ["restore", backup]] {
                try await kill(server, options, restoringInto: place)
                try await expectRefusal(server, "began at")
                let ended = try await store(ending[0], ending[1])
                #expect(ended.status == 0, "\(ended.errors)")
                try await server.restarted().stop()
            }
        }

        /// Starts a restore, and kills it in its transaction.
        private func kill(
            _ server: ServerProcess, _ options: [String], restoringInto place: [String]
        ) async throws {
            // A pipe that nothing writes: the restore waits for it.
            let pipe = server.data.file("pipe-\(UUID().uuidString)").path()
            #expect(mkfifo(pipe, 0o600) == 0)
            let restoring = try ChildProcess(
                Repository.gatehouse, ["store", "restore", pipe] + place,
                log: server.data.file("restore.log"))
            let engine: any SQLEngine =
                if let url = options.last {
                    PostgreSQLEngine(url: Secret(url), connections: 2)
                } else {
                    try SQLiteEngine(path: server.dataDirectory + "/gatehouse.sqlite")
                }
            try await eventually("the restore is recorded") {
                let record = "SELECT 1 FROM job_leases WHERE name = 'restore'"
                return try await engine.query(record).isEmpty ? nil : true
            }
            await engine.close()
            try await expectRefusal(
                server, options.isEmpty ? "or restores its database" : "began at")
            #expect(restoring.isRunning, "\(restoring.lastWords)")
            try await restoring.stop(SIGKILL)
        }

        private func expectRefusal(_ server: ServerProcess, _ reason: String) async throws {
            let error = await #expect(throws: (any Error).self) {
                try await server.restarted()
            }
            #expect(error.map { "\($0)" }?.contains(reason) == true, "\(String(describing: error))")
        }
    }
}
