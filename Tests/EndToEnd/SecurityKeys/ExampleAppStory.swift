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

            /// Where this machine keeps the authorities that it trusts.
            private static let trust = "/etc/ssl/certs/ca-certificates.crt"

            private static var mayChangeTrust: Bool {
                geteuid() == 0 && Repository.has("unshare") && CertificateAuthority.isInstalled
                    && FileManager.default.fileExists(atPath: trust)
            }

            @Test(
                "the provider itself says which apps are its own: no developer mode, no other site",
                .enabled(
                    if: mayChangeTrust, "needs root, unshare, openssl and the list of authorities"))
            func association() async throws {
                let authority = try await CertificateAuthority(hosts: ["localhost"])
                var state = DeclaredState()
                state.associatedApps = [
                    "webcredentials": ["ABCDE12345.com.example.security-key-app"]
                ]
                let file = try authority.folder.write(state.text, to: "state.yaml")
                // Apps look for the file on the port that a domain means when it names none.
                let server = try await ServerProcess(
                    "example-app-site", port: 443,
                    site: .init(
                        host: "localhost", certificate: authority.certificate,
                        key: authority.key), arguments: ["--apply", file.path()])
                let key = try await EmulatedKey()
                _ = try await key.command("set-pin", newPIN: "2580")
                let registered = try await runTrusting(
                    authority, server, key, "ABCDE12345.com.example.security-key-app", as: "anne",
                    typesPIN: true)
                #expect(registered.status == 0, "\(registered.screen)")
                #expect(registered.screen.contains("Registered as anne."))
                #expect(!registered.screen.contains("WARNING"))
                let other = try await runTrusting(
                    authority, server, key, "ABCDE12345.com.example.other", as: "bella",
                    typesPIN: false)
                // The terminal breaks its lines where it likes.
                let words = other.screen.filter { !$0.isWhitespace }
                #expect(other.status == 1 && words.contains("doesnotnametheapp"), "\(words)")
                try await key.stop()
                try await server.stop()
            }

            /// The app on a machine that trusts the test's authority, and nothing else is changed.
            private func runTrusting(
                _ authority: CertificateAuthority, _ server: ServerProcess, _ key: EmulatedKey,
                _ identifier: String, as name: String, typesPIN: Bool
            ) async throws -> (status: Int32, screen: String) {
                let line =
                    "mount --bind \(authority.root.path()) \(Self.trust) && exec "
                    + "\(Self.app.path()) \(server.issuer) register \(name)"
                guard let unshare = Repository.path(of: "unshare") else {
                    throw HarnessError("unshare is not installed")
                }
                let terminal = try await TerminalSession(
                    unshare, ["--mount", "sh", "-c", line], columns: 160,
                    environment: [
                        "GATEHOUSE_SECURITY_KEY": key.device,
                        "GATEHOUSE_APP_IDENTIFIER": identifier,
                        "GATEHOUSE_ASSOCIATED_DOMAINS": "webcredentials:localhost",
                    ])
                if typesPIN {
                    try await terminal.shows("PIN of")
                    try await terminal.type("2580")
                    try await terminal.press("Enter")
                }
                return (try await terminal.status(), try await terminal.screen())
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
                #expect(nobody.status == 1 && nobody.screen.contains("does not declare its app"))
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
