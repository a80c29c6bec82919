// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Synchronization

/// The time in which the database is away and requests may fail.
final class Outage: Sendable {
    private let times = Mutex<(ContinuousClock.Instant, ContinuousClock.Instant)?>(nil)

    func record(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        times.withLock { $0 = (start, end) }
    }

    var range: ClosedRange<ContinuousClock.Instant> {
        let now = ContinuousClock.now
        let (start, end) = times.withLock { $0 } ?? (now, now)
        return start...end
    }
}

/// Two processes of one database, each with its own data directory, and one file with the master
/// key.
struct ClusterHouse {
    var servers: [ServerProcess]
    let database: PostgreSQLServer?
    let keys: TemporaryDirectory

    /// Both start at the same moment, for the first time.
    static func pair(
        _ name: String, database: PostgreSQLServer? = nil, ports: [Int]? = nil,
        issuer: String? = nil
    ) async throws -> ClusterHouse {
        let keys = try TemporaryDirectory()
        let arguments = arguments(
            try (database ?? PostgreSQLServer.shared()).makeDatabase(), keys)
        let first = try Connection.freePort(neighbours: 2)
        let ports = ports ?? [first, first + 1]
        let issuer = issuer ?? "http://localhost:\(ports[0])"
        async let a = ServerProcess(
            "\(name)-a", port: ports[0], issuer: issuer, arguments: arguments)
        async let b = ServerProcess(
            "\(name)-b", port: ports[1], issuer: issuer, arguments: arguments)
        return ClusterHouse(servers: try await [a, b], database: database, keys: keys)
    }

    /// The arguments of each process of a database.
    ///
    /// - Parameter keys: the directory of the file with the master key.
    static func arguments(_ database: Secret, _ keys: TemporaryDirectory) -> [String] {
        [
            "--database", database.revealText(), "--master-key-file",
            keys.file("master.key").path(), "--trusted-proxies", "127.0.0.1",
            "--database-connections", "8",
        ]
    }

    /// With a balancer, and a PostgreSQL server that can be restarted.
    static func start(_ name: String) async throws -> BalancedHouse {
        let first = try Connection.freePort(neighbours: 3)
        let balancer = try await Balancer(
            "\(name)-balancer", port: first, servers: [first + 1, first + 2])
        let database = try PostgreSQLServer()
        let pair = try await pair(
            name, database: database, ports: [first + 1, first + 2],
            issuer: "http://localhost:\(first)")
        try await balancer.hasServer()
        return BalancedHouse(pair: pair, balancer: balancer, database: database)
    }

    func stop() async throws { for server in servers { try await server.stop() } }
}

/// Two processes behind a balancer.
struct BalancedHouse {
    let pair: ClusterHouse
    let balancer: Balancer
    let database: PostgreSQLServer
    private let restarted = RestartedServers()

    /// The processes that were started last.
    private final class RestartedServers: Sendable {
        let all = Mutex<[ServerProcess]>([])
    }

    init(pair: ClusterHouse, balancer: Balancer, database: PostgreSQLServer) {
        self.pair = pair
        self.balancer = balancer
        self.database = database
    }

    var servers: [ServerProcess] { pair.servers }

    /// One process is killed and started again, the other one is stopped and started again, as for
    /// an update, and PostgreSQL is restarted, each under load.
    func disturb(_ watch: Watch, _ outage: Outage) async throws {
        try await load(watch)
        _ = try await servers[1].child.stop(9)
        try await load(watch)
        let second = try await servers[1].restarted()
        restarted.all.withLock { $0.append(second) }
        try await ready(second)
        try await load(watch)
        try await servers[0].stop()
        try await load(watch)
        let first = try await servers[0].restarted()
        restarted.all.withLock { $0.append(first) }
        try await ready(first)
        try await load(watch)
        let start = ContinuousClock.now
        try await blocking { [database] in
            database.shutDown()
            try database.startAgain()
        }
        for server in [first, second] { try await ready(server) }
        outage.record(from: start, to: ContinuousClock.now + .seconds(1))
        try await load(watch)
    }

    private func load(_ watch: Watch) async throws { try await watch.waitForAnswers() }

    private func ready(_ server: ServerProcess) async throws {
        try await eventually("\(server.name) is ready") {
            try await server.get("/health/ready").status == 200 ? true : nil
        }
    }

    func stop() async throws {
        for server in restarted.all.withLock({ $0 }) { try await server.stop() }
        try await balancer.stop()
        database.stop()
    }
}

extension ServerProcess {
    /// The content of `admin.token`.
    var operatorToken: String {
        get throws {
            try String(
                contentsOf: data.file("data").appending(path: "admin.token"), encoding: .utf8
            )
            .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
