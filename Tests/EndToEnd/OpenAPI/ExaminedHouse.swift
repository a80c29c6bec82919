// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A provider in which everything of `/registration` can be done, and what
/// `peers/oauth/registration_hooks.py` has to know of it.
struct ExaminedHouse {
    let server: ServerProcess
    private let service: ChildProcess
    private let knowledge: URL
    private let log: URL

    private static let callback = "http://localhost:9/callback"

    init() async throws {
        server = try await ServerProcess("openapi-registration")
        let port = try Connection.freePort()
        let example = Repository.root.appending(
            path: "Examples/identity-provider/identity_provider.py")
        service = try ChildProcess(
            Repository.python,
            [example.path(), "--issuer", server.issuer, "--listen", "127.0.0.1:\(port)"],
            log: Repository.outputFile("openapi-service.log"))
        try await eventually("the service listens") {
            _ = try await exchange(.init(path: "/"), port: port)
            return true
        }
        try await server.apply(Self.state(service: port, issuer: server.issuer))
        let key = server.data.file("test-key.pem").path()
        let made = try await Command.gatehouse(
            "admin", "test-keys", "create", "--name", "examiner", "--owner", "tests", "--alg",
            "ES256", "--key-file", key, "--json", "--data-dir", server.dataDirectory)
        log = server.data.file("answers.jsonl")
        let known: JSON = [
            "issuer": .string(server.issuer), "client": "app", "callback": .string(Self.callback),
            "username": "anna", "password": .string(DeclaredState.password), "desk": "desk",
            "desk_secret": .string(DeclaredState.secret),
            "test_key": .string(try String(contentsOfFile: key, encoding: .utf8)),
            "test_key_id": try JSON(parsing: Array(made.output.utf8))["key_id"],
            "log": .string(log.path()),
        ]
        knowledge = try server.data.write(known.text, to: "examination.json")
    }

    private static func state(service port: Int, issuer: String) -> String {
        var state = DeclaredState(users: [DeclaredState.user("anna")])
        state.registration = [
            "methods": ["testKey", "customTwoStep"], "federated_deregistration": true,
            "authenticators": ["biometric"], "approvals": ["enabled": true],
            "identity_providers": [
                [
                    "id": "badge", "name": "Badge", "enabled": true, "two_step": true,
                    "url": .string("http://127.0.0.1:\(port)/"),
                ]
            ],
        ]
        state.clients = [
            [
                "client_id": "app", "client_name": "App", "token_endpoint_auth_method": "none",
                "grant_types": [
                    "authorization_code", "urn:ietf:params:oauth:grant-type:jwt-bearer",
                ],
                "redirect_uris": [.string(callback)],
                "web_handoff_uris": [.string(issuer + "/account")],
                "scope": "openid registration", "first_party": true,
            ],
            [
                "client_id": "desk", "client_name": "The desk",
                "client_secret": .string(DeclaredState.secret),
                "token_endpoint_auth_method": "client_secret_basic",
                "grant_types": ["urn:openid:params:grant-type:ciba"], "scope": "openid",
            ],
        ]
        return state.text
    }

    var environment: [String: String] {
        [
            "SCHEMATHESIS_HOOKS": "registration_hooks",
            "PYTHONPATH": Repository.peers.appending(path: "oauth").path(),
            "PYTHONDONTWRITEBYTECODE": "1", "GATEHOUSE_EXAMINATION": knowledge.path(),
        ]
    }

    /// How many requests to each operation were accepted.
    func accepted() throws -> [String: Int] {
        let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
        return try lines.reduce(into: [:]) { counts, line in
            let answer = try JSON(parsing: Array(line.utf8))
            guard (200...299).contains(answer["status"].int ?? 0) else { return }
            counts[answer["operation"].string ?? "", default: 0] += 1
        }
    }

    /// The names of what the document describes.
    func operations(of document: String) async throws -> Set<String> {
        let answer = try await server.get(document)
        guard case .object(let paths) = try JSON(parsing: answer.body)["paths"] else { return [] }
        return Set(
            paths.values.flatMap { item -> [String] in
                guard case .object(let methods) = item else { return [] }
                return methods.values.compactMap { $0["operationId"].string }
            })
    }

    func stop() async throws {
        _ = try? await service.stop()
        try await server.stop()
    }
}
