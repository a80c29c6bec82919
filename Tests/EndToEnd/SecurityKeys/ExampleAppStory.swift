// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

#if os(Linux)
    extension EndToEnd {
        /// `Examples/SecurityKeyApp`, whose source is what Apple's documentation shows, against
        /// the provider and a software key.
        @Suite(
            "An app with Apple's API", .enabled(if: TerminalSession.isAvailable, "needs tmux"))
        struct ExampleAppStory {
            private static let app = Repository.gatehouse.deletingLastPathComponent()
                .appending(path: "SecurityKeyApp")

            private func run(
                _ server: ServerProcess, _ key: EmulatedKey, _ arguments: [String],
                typesPIN: Bool = false, _ more: [String: String] = [:]
            ) async throws -> (status: Int32, screen: String) {
                let environment = [
                    "GATEHOUSE_SECURITY_KEY": key.device,
                    "GATEHOUSE_APP_IDENTIFIER": "ABCDE12345.com.example.security-key-app",
                    "GATEHOUSE_ASSOCIATED_DOMAINS":
                        "webcredentials:localhost:\(server.port)?mode=developer",
                    "GATEHOUSE_DEVELOPER_MODE": "1",
                ].merging(more) { $1 }
                let terminal = try await TerminalSession(
                    Self.app, [server.issuer] + arguments, columns: 160, environment: environment)
                if typesPIN {
                    try await terminal.shows("PIN of")
                    try await terminal.type("2580")
                    try await terminal.press("Enter")
                }
                let status = try await terminal.status()
                return (status, try await terminal.screen())
            }

            @Test("it registers an account with a key and signs in with it")
            func story() async throws {
                let server = try await ServerProcess("example-app")
                try await server.apply(DeclaredState().text)
                let key = try await EmulatedKey()
                _ = try await key.command("set-pin", newPIN: "2580")
                let registered = try await run(server, key, ["register", "anne"], typesPIN: true)
                #expect(registered.status == 0, "\(registered.screen)")
                #expect(registered.screen.contains("Registered as anne."))
                #expect(registered.screen.contains("WARNING: developer mode"))
                let signedIn = try await run(server, key, ["sign-in"], typesPIN: true)
                #expect(signedIn.status == 0 && signedIn.screen.contains("Signed in."))
                try await key.stop()
                try await server.stop()
            }

            @Test("without developer mode, and without an identity, the request fails")
            func refused() async throws {
                let server = try await ServerProcess("example-app-refused")
                try await server.apply(DeclaredState().text)
                let key = try await EmulatedKey()
                let off = try await run(
                    server, key, ["sign-in"], ["GATEHOUSE_DEVELOPER_MODE": "0"])
                #expect(off.status == 1 && off.screen.contains("Developer mode is off"))
                let nobody = try await run(
                    server, key, ["sign-in"], ["GATEHOUSE_APP_IDENTIFIER": ""])
                #expect(nobody.status == 1 && nobody.screen.contains("which app it is"))
                let other = try await run(
                    server, key, ["sign-in"],
                    ["GATEHOUSE_ASSOCIATED_DOMAINS": "webcredentials:example.com"])
                #expect(other.status == 1 && other.screen.contains("does not name"))
                try await key.stop()
                try await server.stop()
            }
        }
    }
#endif
