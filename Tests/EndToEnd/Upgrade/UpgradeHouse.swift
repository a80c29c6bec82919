// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support

/// The previous release and the new version behind a balancer, on one PostgreSQL database.
struct UpgradeHouse {
    let balancer: Balancer
    /// The process of the previous release.
    let old: ServerProcess
    let database: Secret
    /// The directory of the file with the master key.
    let keys: TemporaryDirectory
    private let name: String

    /// Starts the previous release alone, with a client and people.
    static func start(_ name: String) async throws -> UpgradeHouse {
        guard let program = PreviousRelease.program else {
            throw HarnessError(PreviousRelease.hint)
        }
        let first = try Connection.freePort(neighbours: 3)
        let balancer = try await Balancer(
            "\(name)-balancer", port: first, servers: [first + 1, first + 2])
        let database = try PostgreSQLServer.shared().makeDatabase()
        let keys = try TemporaryDirectory()
        for process in ["old", "new"] {
            // Logs are appended to.
            let log = try Repository.outputFile("\(name)-\(process).log")
            try? FileManager.default.removeItem(at: log)
        }
        let old = try await ServerProcess(
            "\(name)-old", port: first + 1, issuer: "http://localhost:\(first)",
            arguments: ClusterHouse.arguments(database.revealText(), keys), program: program)
        try await old.apply(EndToEndCluster.ClusterStory.state)
        try await balancer.hasServer()
        return UpgradeHouse(
            balancer: balancer, old: old, database: database, keys: keys, name: name)
    }

    /// Starts the new version concurrently. It migrates the database.
    func upgrade() async throws -> ServerProcess {
        try await ServerProcess(
            "\(name)-new", port: old.port + 1, issuer: old.issuer,
            arguments: ClusterHouse.arguments(database.revealText(), keys))
    }

    func stop(_ servers: ServerProcess...) async throws {
        for server in servers { try await server.stop() }
        try await balancer.stop()
    }
}

/// A person with a password and a passkey, who is signed in.
struct UpgradeMember: Sendable {
    let username: String
    let sub: String
    let passkey: SoftwarePasskey
    let cookies: [String: String]

    /// Registers a person at this process.
    static func register(_ username: String, at server: ServerProcess) async throws -> Self {
        let passkey = try SoftwarePasskey(
            origin: server.issuer, relyingPartyID: "localhost", random: SystemRandomSource())
        let agent = server.agent()
        try await blocking {
            guard try agent.register(username, DeclaredState.password) else {
                throw HarnessError("\(username) was not registered")
            }
            try agent.add(passkey)
        }
        let person = try await server.get(
            "/admin/v1/projects/default/people/\(username)",
            headers: [("Authorization", "Bearer \(server.operatorToken)")])
        guard let sub = person.json?["sub"] as? String else { throw HarnessError(person.text) }
        return Self(username: username, sub: sub, passkey: passkey, cookies: agent.cookies)
    }

    /// The session, the password and the passkey are valid at this process.
    func signIn(at server: ServerProcess) async throws {
        let (known, password, passkey) = (server.agent(cookies), server.agent(), server.agent())
        try await blocking {
            try password.signIn(username, DeclaredState.password)
            try passkey.signIn(with: self.passkey, of: sub)
            for agent in [known, password, passkey] {
                let account = try agent.send(.init(path: "/account"))
                guard account.status == 200, account.text.contains(username) else {
                    throw HarnessError("not signed in at \(server.name): \(account.status)")
                }
            }
        }
    }
}

extension ServerProcess {
    /// A browser that sends its requests to this process, and not to the balancer.
    func agent(_ cookies: [String: String] = [:]) -> FormAgent {
        FormAgent(port: port, cookies: cookies, issuer: issuer)
    }

    /// The response of the user info endpoint.
    func userInfo(_ tokens: HTTPAnswer) async throws -> HTTPAnswer {
        let token = tokens.json?["access_token"] as? String ?? ""
        return try await get("/userinfo", headers: [("Authorization", "Bearer \(token)")])
    }

    /// The response to the code of a person who is signed in.
    func redeem(_ code: String) async throws -> HTTPAnswer {
        try await blocking { [port] in try TokenRequests(port: port).redeem(code) }
    }

    func refresh(_ token: String) async throws -> HTTPAnswer {
        try await blocking { [port] in try TokenRequests(port: port).refresh(token) }
    }

    /// An authorization code for the person.
    func code(for agent: FormAgent) async throws -> String {
        try await blocking { try EndToEndCluster.ClusterStory.code(agent) }
    }
}
