// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Crypto
import Foundation
import GatehouseClient
import GatehouseTesting
import JOSE
import Primitives
import Support
import Synchronization

/// A provider that registers by every method there is, with everything that speaks for a person or
/// a device in the hands of the test, and that dies when it is told to.
final class CeremonyHouse: Sendable {
    static let methods: [GatehouseClient.RegistrationMethod] = [
        .testKey, .signedJWT, .oidc, .customOneStep, .customTwoStep, .appAttest, .deviceCheck,
        .keyAttestation, .playIntegrity,
    ]

    let authority: AttestationAuthority
    let issuerKey = P256.Signing.PrivateKey()
    let playKey = P256.Signing.PrivateKey()
    static let playSecret = [UInt8](100..<132)
    let testKeyID: String
    let testKeyPEM: String
    let keys = KnownKeyStore()
    let port: Int
    let issuer: String
    private let server: Mutex<ServerProcess>
    private let peers: [ChildProcess]

    init(_ name: String, database: [String]) async throws {
        authority = try AttestationAuthority()
        let server = try await ServerProcess(
            name, arguments: database + ["--trusted-proxies", "127.0.0.1"])
        let vendors = try Connection.freePort()
        let badges = try Connection.freePort()
        peers = try await Self.startPeers(vendors: vendors, badges: badges, issuer: server.issuer)
        let state = try CeremonyState(
            authority: authority, issuerKey: issuerKey.publicKey, playKey: playKey.publicKey,
            vendors: vendors, badges: badges)
        try await server.apply(state.text)
        let file = server.data.file("test-key.pem").path()
        let made = try await Command.gatehouse(
            "admin", "test-keys", "create", "--name", "ci", "--owner", "olga", "--alg", "ES256",
            "--key-file", file, "--json", "--data-dir", server.dataDirectory)
        testKeyID = try JSON(parsing: Array(made.output.utf8))["key_id"].string ?? ""
        testKeyPEM = try String(contentsOfFile: file, encoding: .utf8)
        port = server.port
        issuer = server.issuer
        self.server = Mutex(server)
    }

    private static func startPeers(
        vendors: Int, badges: Int, issuer: String
    ) async throws -> [ChildProcess] {
        let example = Repository.root.appending(
            path: "Examples/identity-provider/identity_provider.py")
        let children = [
            try ChildProcess(
                Repository.python,
                [Repository.peers.appending(path: "vendors.py").path(), String(vendors)],
                log: Repository.outputFile("vendors.log")),
            try ChildProcess(
                Repository.python,
                [example.path(), "--issuer", issuer, "--listen", "127.0.0.1:\(badges)"],
                log: Repository.outputFile("identity-provider.log")),
        ]
        for port in [vendors, badges] {
            try await eventually("a peer listens at \(port)") {
                _ = try await exchange(.init(path: "/"), port: port)
                return true
            }
        }
        return children
    }

    /// Of the process that serves now.
    var pid: Int32 { server.withLock { $0.child.pid } }

    /// `kill -9`, and another one on the same data.
    func kill() async throws {
        let old = server.withLock { $0 }
        _ = try await old.child.stop(9)
        let new = try await old.restarted()
        server.withLock { $0 = new }
    }

    func stop() async throws {
        for peer in peers { _ = try? await peer.stop() }
        try await server.withLock { $0 }.stop()
    }

    // MARK: The app

    /// An app that begins with nothing, but for what the system may keep of its person.
    func app(passkeys: (any PasskeyAuthenticator)? = nil) async throws -> CeremonyApp {
        let wire = try KillingTransport(pid: { self.pid }) { try await self.kill() }
        let client = try IdentityClient(
            configuration: ClientConfiguration(issuer: issuer, clientID: "app"),
            store: InMemorySecureStore(), keys: keys, passkeys: passkeys, transport: wire,
            time: SystemTime(),
            tuning: ClientTuning(stretching: .cheap))
        // What follows has its own requests only.
        try await client.start()
        return CeremonyApp(house: self, client: client, wire: wire)
    }

    // MARK: What is there

    private func admin(_ path: String, _ method: String = "GET") async throws -> HTTPAnswer {
        let token = try String(
            contentsOfFile: server.withLock { $0.dataDirectory } + "/admin.token",
            encoding: .utf8)
        let words = token.trimmingCharacters(in: .whitespacesAndNewlines)
        return try await exchange(
            HTTPRequestText(
                method: method, path: "/admin/v1" + path,
                headers: [("Authorization", "Bearer \(words)")]), port: port)
    }

    /// Every person of the project, and how many installations each has.
    func people() async throws -> [String: Int] {
        let listed = try JSON(
            parsing: try await admin("/projects/default/people?limit=200").body)["items"].array
        var found: [String: Int] = [:]
        for person in listed ?? [] {
            guard let id = person["sub"].string else { continue }
            let shown = try JSON(parsing: try await admin("/projects/default/people/\(id)").body)
            found[id] = shown["installations"].array?.count ?? 0
        }
        return found
    }

    /// As an administrator; gives the status.
    func removePerson(_ id: String) async throws -> Int {
        try await admin("/projects/default/people/\(id)", "DELETE").status
    }

    func verifyStore(_ database: [String]) async throws -> Command.Outcome {
        try await Command.run(
            Repository.gatehouse,
            ["store", "verify", "--data-dir", server.withLock { $0.dataDirectory }] + database)
    }
}

/// Keys in memory whose public halves a test may ask for: an attestation of Android names the key.
final class KnownKeyStore: KeyStore {
    private let inner = InMemoryKeyStore()
    private let latest = Mutex<P256PublicKey?>(nil)

    /// Of the key that was made or read last.
    var publicKey: P256PublicKey? { latest.withLock { $0 } }

    func makeKey(_ name: RecordName) async throws -> any StoredKey {
        let key = try await inner.makeKey(name)
        latest.withLock { $0 = key.publicKey }
        return key
    }

    func key(_ name: RecordName) async throws -> (any StoredKey)? {
        let key = try await inner.key(name)
        if let key { latest.withLock { $0 = key.publicKey } }
        return key
    }

    func removeKey(_ name: RecordName) async throws { try await inner.removeKey(name) }
    func keyNames() async throws -> [RecordName] { try await inner.keyNames() }
}
