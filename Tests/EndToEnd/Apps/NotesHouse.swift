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
    /// Where the notes are kept, once ``startService()`` has been called.
    let servicePort: Int

    /// - Parameter badges: The port of `Examples/identity-provider`, where that runs.
    init(_ name: String, database: [String] = [], badges: Int? = nil) async throws {
        server = try await ServerProcess(name, arguments: database)
        var state = DeclaredState()
        // Too short for every use, so that each process must refresh.
        state.policy = ["access_token_lifetime": 20]
        state.registration = Self.rules(badges)
        // With badges she is that service's.
        state.users = badges == nil ? [DeclaredState.user("anna")] : []
        state.clients = [
            [
                "client_id": "notes", "client_name": "Notes",
                "token_endpoint_auth_method": "none",
                "grant_types": [
                    "authorization_code", "refresh_token",
                    "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    "urn:gatehouse:grant-type:passkey",
                    "urn:ietf:params:oauth:grant-type:token-exchange",
                ],
                "exchange_audiences": ["notes-service"],
                "redirect_uris": ["http://127.0.0.1/callback"],
                "web_handoff_uris": [.string(server.issuer + "/account")],
                "scope": "openid profile offline_access registration entitlements weather notes",
                "first_party": true,
            ],
            DeclaredState.service("notes-service"),
            [
                "client_id": "desk", "client_name": "The desk",
                "client_secret": .string(DeclaredState.secret),
                "token_endpoint_auth_method": "client_secret_basic",
                "grant_types": [.string(Self.askGrant)], "scope": "openid",
            ],
        ]
        try await server.apply(state.text)
        folder = try TemporaryDirectory()
        servicePort = try Connection.freePort()
        keyFile = folder.file("test-key.pem").path()
        let made = try await Command.gatehouse(
            "admin", "test-keys", "create", "--name", "notes", "--owner", "tests",
            "--alg", "ES256", "--key-file", keyFile, "--data-dir", server.dataDirectory)
        keyID =
            made.errors.split(separator: "\n").first { $0.hasPrefix("key id: ") }
            .map { String($0.dropFirst(8)) } ?? ""
    }

    private static func rules(_ badges: Int?) -> JSON {
        var rules: [String: JSON] = [
            "device_scopes": ["weather"], "approvals": ["enabled": true],
            "pin": ["implicit_scopes": ["weather"]],
        ]
        if let badges {
            rules["methods"] = ["testKey", "customTwoStep"]
            rules["identity_providers"] = [
                [
                    "id": "badge", "name": "Badge", "url": .string("http://127.0.0.1:\(badges)/"),
                    "two_step": true,
                ]
            ]
        }
        return .object(rules)
    }

    /// The other half of the app, which keeps the notes.
    func startService() async throws -> ChildProcess {
        let settings = ["NOTES_SERVICE_SECRET": DeclaredState.secret]
        let service = try ChildProcess(
            Self.app,
            [
                "service", "--listen", "127.0.0.1:\(servicePort)", "--directory",
                folder.file("shelf").path(),
            ], log: folder.file("service.log"), environment: environment.merging(settings) { $1 })
        try await eventually("the notes service listens") {
            guard service.isRunning else { throw HarnessError(service.lastWords) }
            let answer = try await exchange(.init(path: "/notes"), port: servicePort)
            return answer.status == 401 ? true : nil
        }
        return service
    }

    func notes(_ words: String..., input: String = "") async throws -> Command.Outcome {
        try await Command.run(
            Self.app, words, input: input, environment: environment)
    }

    var environment: [String: String] {
        [
            "NOTES_ISSUER": server.issuer,
            "NOTES_DIRECTORY": folder.file("notes").path(),
            "NOTES_SERVICE": "http://127.0.0.1:\(servicePort)",
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
