// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

extension EndToEndAgent {
    /// An independent Mac in Python signs in with every method and then attacks.
    @Suite(
        "Platform SSO with a second client",
        .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
    struct PlatformSSOStory {
        @Test("a Mac registers, signs people in and unlocks; each attack is refused for what it is")
        func mac() async throws { try await story("platform-sso") }

        @Test(
            "the same with the provider on PostgreSQL",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func postgreSQL() async throws {
            let url = try PostgreSQLServer.shared().makeDatabase().revealText()
            try await story("platform-sso-postgresql", ["--database", url])
        }

        private func story(_ name: String, _ arguments: [String] = []) async throws {
            let server = try await ServerProcess(name, arguments: arguments)
            try await server.apply(Self.state.text)
            let log = try Repository.outputFile("\(name).log").path()
            let outcome = try await Command.peer(
                "platform_sso/platform_sso.py",
                [
                    server.issuer, server.dataDirectory + "/admin.token", log, "anna",
                    DeclaredState.password, "bea", DeclaredState.password,
                ])
            guard outcome.status == 0 else {
                throw HarnessError("\(outcome.output)\n\(outcome.errors)")
            }
            let checks = try JSON(parsing: Array(outcome.output.utf8))["checks"].array ?? []
            #expect(checks.compactMap(\.string) == PlatformSSOChecks.all)
            let association = try await server.get("/.well-known/apple-app-site-association")
            #expect(
                association.text.contains(#""authsrv":{"apps":["ABCDE12345.com.example.sso"]}"#))
            let output = try await Command.gatehouse(
                "admin", "devices", "list", "--data-dir", server.dataDirectory)
            #expect(output.output.contains("revoked"))
            try await server.stop()
        }

        private static var state: DeclaredState {
            var anna = DeclaredState.user("anna")
            if case .object(var members) = anna {
                members["groups"] = ["staff", "climbing"]
                anna = .object(members)
            }
            return DeclaredState(
                users: [anna, DeclaredState.user("bea")],
                associatedApps: ["authsrv": ["ABCDE12345.com.example.sso"]],
                platformSSO: ["enabled": true])
        }
    }
}
