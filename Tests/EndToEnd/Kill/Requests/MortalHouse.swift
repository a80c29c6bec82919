// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Primitives
import StoragePostgreSQL
import StorageSQL
import StorageSQLite
import Support
import Synchronization

/// A provider that any request may kill, and all clients that send requests.
final class MortalHouse: Sendable {
    /// The process that serves now.
    private final class Running: Sendable {
        let server = Mutex<ServerProcess?>(nil)
        private let dying = DispatchGroup()

        /// Waits until the provider serves.
        var place: (port: Int, pid: Int32) {
            dying.wait()
            return server.withLock { ($0?.port ?? 0, $0?.child.pid ?? 0) }
        }

        func kill() async throws {
            guard let old = server.withLock({ $0 }) else { return }
            dying.enter()
            defer { dying.leave() }
            _ = try await old.child.stop(9)
            let new = try await old.restarted()
            server.withLock { $0 = new }
        }
    }

    let door: DyingDoor
    let issuer: String
    var port: Int { door.port }
    let dataDirectory: String
    private let running: Running
    private let store: any SQLEngine
    private let token: String
    private let testKey: (id: String, pem: String)
    private let number = Mutex(0)

    /// - Parameters:
    ///   - database: `--database URL`, or empty for SQLite.
    ///   - state: The state of the project for the fixture's URLs.
    init(
        _ name: String, database: [String], arguments: [String] = [],
        state: (_ issuer: String) -> JSON
    ) async throws {
        let running = Running()
        let door = try DyingDoor {
            running.place
        } counts: {
            Self.changes($0)
        } kill: {
            try await running.kill()
        }
        issuer = "http://localhost:\(door.port)"
        let server = try await ServerProcess(
            name, issuer: issuer,
            arguments: database + arguments + [
                "--trusted-proxies", "127.0.0.1", "--attempts-per-address", "1000000",
            ])
        running.server.withLock { $0 = server }
        (self.door, self.running) = (door, running)
        dataDirectory = server.dataDirectory
        try await server.apply(JSON.object(["projects": [state(issuer)]]).text)
        token = try String(contentsOfFile: dataDirectory + "/admin.token", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let file = server.data.file("test-key.pem").path()
        let made = try await Command.gatehouse(
            "admin", "test-keys", "create", "--name", "ci", "--owner", "tests", "--alg", "ES256",
            "--key-file", file, "--json", "--data-dir", dataDirectory)
        testKey = (
            try JSON(parsing: Array(made.output.utf8))["key_id"].string ?? "",
            try String(contentsOfFile: file, encoding: .utf8)
        )
        store =
            if let url = database.last {
                PostgreSQLEngine(url: Secret(url), connections: 2)
            } else {
                try SQLiteEngine(path: dataDirectory + "/gatehouse.sqlite")
            }
    }

    /// Looking changes nothing, but for the places where a browser comes by with something.
    private static func changes(_ request: ReceivedRequest) -> Bool {
        request.method != "GET" || request.path.contains("/sign-in/with/")
            || ["/authorize", "/handoff"].contains(request.path)
    }

    func kill() async throws { try await running.kill() }

    func stop() async throws {
        door.close()
        await store.close()
        try await running.server.withLock { $0 }?.stop()
    }

    /// What is half done in the database, in words.
    func halfDone() async throws -> [String] {
        try await store.snapshot { connection in
            try Invariant.violations(connection) + HalfDone.found(connection)
        }
    }

    // MARK: Who is there

    /// Returns an unused name.
    func newName(_ kind: String) -> String {
        let number = number.withLock { number in
            number += 1
            return number
        }
        return "\(kind)\(number)"
    }

    /// Returns a browser at a distinct address.
    func browser() -> FormAgent {
        let number = number.withLock { number in
            number += 1
            return number
        }
        return FormAgent(port: port, address: "10.9.\(number / 250).\(number % 250 + 1)")
    }

    func client(
        verifiers: [any UserVerifier] = [], scopes: [String] = []
    ) async throws -> IdentityClient {
        let client = try IdentityClient(
            configuration: ClientConfiguration(
                issuer: issuer, clientID: "app", scopes: ClientConfiguration.usualScopes + scopes),
            store: InMemorySecureStore(), keys: InMemoryKeyStore(), verifiers: verifiers)
        try await client.start()
        return client
    }

    /// Returns an app in which a new person is registered and signed in, with a key alone.
    func app(
        verifiers: [any UserVerifier] = [], scopes: [String] = []
    ) async throws -> (client: IdentityClient, profile: Profile, session: UserSession) {
        let client = try await client(verifiers: verifiers, scopes: scopes)
        let credential = try TestKeyCredentialProvider(
            privateKeyPEM: testKey.pem, keyID: testKey.id)
        let profile = try await client.register(.credential(credential)).profile
        return (client, profile, try await client.signIn(.deviceKey, as: profile.id))
    }

    // MARK: Calls

    /// As an administrator.
    func admin(
        _ method: String, _ path: String, _ body: JSON? = nil, bearer: String? = nil
    ) async throws -> HTTPAnswer {
        var headers = [("Authorization", "Bearer \(bearer ?? token)")]
        if body != nil { headers.append(("Content-Type", "application/json")) }
        return try await exchange(
            HTTPRequestText(
                method: method, path: "/admin/v1" + path, headers: headers,
                body: body?.bytes ?? []), port: port, timeout: 30)
    }

    /// A form of the client `bank`.
    func bank(_ path: String, _ fields: [(String, String)]) async throws -> HTTPAnswer {
        let proof = basicAuthorization("bank", DeclaredState.secret)
        return try await exchange(.form(path, fields, headers: [proof]), port: port)
    }

    /// JSON from a page of the provider, and its answer.
    func page(_ agent: FormAgent, _ path: String, _ body: JSON) async throws -> JSON {
        try await blocking { try agent.post(path, body) }
    }
}
