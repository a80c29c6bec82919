// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A provider that knows the app, and has a test key.
struct NotesHouse {
    static let app = Repository.gatehouse.deletingLastPathComponent().appending(path: "notes")

    /// Of a client that asks people to approve something.
    static let askGrant = "urn:openid:params:grant-type:ciba"

    var server: ServerProcess
    let keyFile: String
    let keyID: String
    let folder: TemporaryDirectory

    init(_ name: String, database: [String] = []) async throws {
        server = try await ServerProcess(name, arguments: database)
        var state = DeclaredState()
        // Too short for anybody's needs, so that each process must renew.
        state.policy = ["access_token_lifetime": 20]
        state.registration = [
            "device_scopes": ["weather"], "approvals": ["enabled": true],
        ]
        state.clients = [
            [
                "client_id": "notes", "client_name": "Notes",
                "token_endpoint_auth_method": "none",
                "grant_types": [
                    "authorization_code", "refresh_token",
                    "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    "urn:gatehouse:grant-type:passkey",
                ],
                "redirect_uris": ["http://127.0.0.1/callback"],
                "web_handoff_uris": [.string(server.issuer + "/account")],
                "scope": "openid profile offline_access registration entitlements weather",
                "first_party": true,
            ],
            [
                "client_id": "desk", "client_name": "The desk",
                "client_secret": .string(DeclaredState.secret),
                "token_endpoint_auth_method": "client_secret_basic",
                "grant_types": [.string(Self.askGrant)], "scope": "openid",
            ],
        ]
        try await server.apply(state.text)
        folder = try TemporaryDirectory()
        keyFile = folder.file("test-key.pem").path()
        let made = try await Command.gatehouse(
            "admin", "test-keys", "create", "--name", "notes", "--owner", "tests",
            "--alg", "ES256", "--key-file", keyFile, "--data-dir", server.dataDirectory)
        keyID =
            made.errors.split(separator: "\n").first { $0.hasPrefix("key id: ") }
            .map { String($0.dropFirst(8)) } ?? ""
    }

    func notes(_ words: String..., input: String = "") async throws -> Command.Outcome {
        try await Command.run(
            Self.app, words, input: input, environment: environment)
    }

    var environment: [String: String] {
        [
            "NOTES_ISSUER": server.issuer,
            "NOTES_DIRECTORY": folder.file("notes").path(),
        ]
    }

    /// An app that is under way while others are.
    func start(_ words: String..., log: String) throws -> ChildProcess {
        try ChildProcess(
            Self.app, words, log: folder.file(log), environment: environment)
    }

    /// The PIN is there should the project ask for one.
    func register(_ id: UUID) async throws -> Command.Outcome {
        try await notes(
            "register", "--test-key", keyFile, "--key-id", keyID, "--id", id.uuidString,
            input: "24681\n24681\n")
    }

    /// How many people the test key has made.
    func people() async throws -> Int {
        let listed = try await Command.gatehouse(
            "admin", "people", "list", "--data-dir", server.dataDirectory)
        return listed.output.split(separator: "\n").count { $0.contains("test-") }
    }
}
