// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

extension EndToEndKill {
    /// As `RequestKillStory`, for the requests of a Mac: `peers/platform_sso/platform_sso_kill.py`, which is
    /// independent.
    @Suite(
        "Platform SSO with a provider that dies at every request",
        .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
    struct PlatformSSOKillStory {
        /// What the Mac does; each begins with a nonce, so there are two requests, and three moments of each.
        private static let acts = [
            "a machine registers", "a person registers", "a person signs in", "tokens are renewed",
            "an unlock key is given", "a secret is opened", "a machine leaves",
        ]

        @Test("SQLite: all is done, once, and no message counts twice")
        func sqlite() async throws { try await story([]) }

        @Test(
            "the same on PostgreSQL",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func postgreSQL() async throws {
            let url = try PostgreSQLServer.shared().makeDatabase().revealText()
            try await story(["--database", url])
        }

        private func story(_ database: [String]) async throws {
            let folder = try TemporaryDirectory()
            let outcome = try await Command.peer(
                "platform_sso/platform_sso_kill.py",
                [Repository.gatehouse.path(), folder.url.path()] + database)
            guard outcome.status == 0 else {
                throw HarnessError("\(outcome.output)\n\(outcome.errors)")
            }
            let deaths = try JSON(parsing: Array(outcome.output.utf8))["deaths"]
            for act in Self.acts { #expect(deaths[act] == 6, "\(act)") }
        }
    }
}
