// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// SIGHUP has two meanings: the state of the terminal distinguishes them.
    @Suite("A terminal that is closed")
    struct ClosedTerminalStory {
        @Test(
            "closing the terminal ends a provider that a person started in it; a signal alone reloads it",
            .enabled(if: TerminalSession.isAvailable, "needs tmux"))
        func closed() async throws {
            let data = try TemporaryDirectory()
            let port = try Connection.freePort()
            let folder = data.file("data").path()
            let terminal = try await TerminalSession(
                Repository.gatehouse,
                [
                    "serve", "--data-dir", folder, "--listen", "127.0.0.1:\(port)", "--issuer",
                    "http://localhost:\(port)",
                ], columns: 160)
            try await terminal.shows("administrators open the console")
            let server = try JSON(
                parsing: Array(try Data(contentsOf: data.file("data/server.json"))))
            let pid = try #require(server["pid"].int.map(Int32.init))
            #expect(kill(pid, SIGHUP) == 0)
            try await terminal.shows("reloaded")
            #expect(try await live(port))
            try await terminal.close()
            try await eventually("the provider has ended") { try await live(port) ? nil : true }
        }

        private func live(_ port: Int) async throws -> Bool {
            do {
                return try await exchange(.init(path: "/health/live"), port: port, timeout: 2)
                    .status == 200
            } catch {
                return false
            }
        }
    }
}
