// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Testing

extension EndToEnd {
    /// A client asks, the operator's own service is told, the app that it wakes answers; and the same
    /// by a code that is scanned.
    @Suite(
        "Approvals with a push sender of one's own",
        .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
    struct PushStory {
        private static let link = "com.example.notes:/approve"
        private static let secret = "a-long-machine-made-secret-0123456789"

        @Test("the example verifies the notice and wakes the installation; a code does the same")
        func whole() async throws {
            let server = try await ServerProcess("push")
            let port = try Connection.freePort()
            let sender = try await Self.startSender(server, port)
            try await server.apply(Self.state(port).text)
            let (client, profile) = try await Self.registered(server)
            try await client.approvals.enroll(profile.id, pushToken: "device-7")

            let asked = try await Self.ask(server, ["login_hint": profile.userID])
            #expect(asked["approval_code"].string == nil)
            let line = try await eventually("the installation is told") {
                sender.lastWords.split(separator: "\n").last { $0.contains("device-7") }
            }
            let notice = try JSON(parsing: Array(line.utf8))
            #expect(notice["user_id"].string == profile.userID)
            #expect(!line.contains("Carla"))
            let waiting = try await client.approvals.pending(for: profile.id)
            #expect(waiting.map(\.id) == [notice["approval"].string])
            #expect(waiting.first?.message == "Pay Carla")

            let code = try await Self.ask(server, ["approval_code": "true"])
            let scanned = try #require(code["approval_uri"].string)
            #expect(scanned == Self.link + "?approval_code=" + (code["approval_code"].string ?? ""))
            let found = try await client.approvals.resolve(code: scanned, for: profile.id)
            #expect(found.message == "Pay Carla" && found.id != waiting.first?.id)
            try await server.stop()
            try await sender.stop()
        }

        private static func startSender(
            _ server: ServerProcess, _ port: Int
        ) async throws -> ChildProcess {
            let script = Repository.root.appending(path: "Examples/push-sender/push_sender.py")
            let sender = try ChildProcess(
                Repository.python,
                [script.path(), "--issuer", server.issuer, "--listen", "127.0.0.1:\(port)"],
                log: Repository.outputFile("push-sender-\(port).log"))
            try await eventually("the sender listens") {
                _ = try await exchange(.init(path: "/"), port: port)
                return true
            }
            return sender
        }

        private static func state(_ port: Int) -> DeclaredState {
            var state = DeclaredState()
            state.registration = [
                "approvals": [
                    "enabled": true, "push_url": .string("http://127.0.0.1:\(port)/"),
                    "app_url": .string(link),
                ]
            ]
            state.clients = [
                [
                    "client_id": "notes", "token_endpoint_auth_method": "none",
                    "grant_types": [
                        "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    ],
                    "scope": "openid profile offline_access registration", "first_party": true,
                ],
                [
                    "client_id": "bank", "client_secret": .string(secret),
                    "token_endpoint_auth_method": "client_secret_post",
                    "grant_types": ["urn:openid:params:grant-type:ciba"], "scope": "openid",
                ],
            ]
            return state
        }

        private static func registered(
            _ server: ServerProcess
        ) async throws -> (IdentityClient, Profile) {
            let folder = try TemporaryDirectory()
            let file = folder.file("test-key.pem")
            let made = try await Command.gatehouse(
                "admin", "test-keys", "create", "--name", "push", "--owner", "tests", "--alg",
                "ES256", "--key-file", file.path(), "--json", "--data-dir", server.dataDirectory)
            let keyID = try JSON(parsing: Array(made.output.utf8))["key_id"].string ?? ""
            let client = try IdentityClient(
                configuration: ClientConfiguration(issuer: server.issuer, clientID: "notes"),
                store: InMemorySecureStore(), keys: InMemoryKeyStore())
            let key = try TestKeyCredentialProvider(
                privateKeyPEM: String(contentsOf: file, encoding: .utf8), keyID: keyID)
            return (client, try await client.register(.credential(key)).profile)
        }

        private static func ask(
            _ server: ServerProcess, _ whom: [String: String]
        ) async throws -> JSON {
            let fields =
                [
                    ("client_id", "bank"), ("client_secret", secret), ("scope", "openid"),
                    ("binding_message", "Pay Carla"),
                ] + whom.map { ($0.key, $0.value) }
            let answer = try await server.post("/bc-authorize", fields)
            guard answer.status == 200 else { throw HarnessError(answer.text) }
            return try JSON(parsing: Array(answer.text.utf8))
        }
    }
}
