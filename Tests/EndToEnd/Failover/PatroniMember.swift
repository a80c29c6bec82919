// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Synchronization

/// A PostgreSQL server and its Patroni, in a temporary folder, on loopback ports.
final class PatroniMember: Sendable {
    /// The ports of a member. Patroni's own raft is its configuration store.
    struct Ports: Sendable {
        let database: Int
        /// Of Patroni's REST API, which balancers ask.
        let api: Int
        let raft: Int
    }

    let name: String
    let ports: Ports
    private let folder: String
    private let process: Mutex<ChildProcess?> = Mutex(nil)
    private let log: URL

    /// Starts nothing.
    ///
    /// - Parameter partners: The raft ports of the other members.
    init(_ name: String, ports: Ports, partners: [Int], log: URL) throws {
        self.name = name
        self.ports = ports
        self.log = log
        folder = try PostgreSQLPrograms.makeFolder()
        let text = PatroniConfiguration(
            name: name, folder: folder, ports: ports, partners: partners
        ).text
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/patroni.yml"))
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    func start() throws {
        let command = PostgreSQLPrograms.asUser(["/usr/bin/patroni", "\(folder)/patroni.yml"])
        let child = try PostgreSQLPrograms.start(
            command, log: log, environment: ["TMPDIR": folder])
        process.withLock { $0 = child }
    }

    /// Starts a Patroni that ended by itself, as systemd does.
    func startAgainIfEnded() throws {
        guard process.withLock({ $0?.isRunning == false }) else { return }
        try start()
    }

    /// SIGKILL for Patroni and then for each process of PostgreSQL.
    func kill() {
        guard let patroni = process.withLock({ $0.take() }) else { return }
        patroni.signal(SIGKILL)
        _ = patroni.wait()
        guard let server = serverProcess else { return }
        PostgreSQLPrograms.signal(SIGKILL, toServer: server)
    }

    /// The process of the file that PostgreSQL leaves behind when it is killed.
    private var serverProcess: Int32? {
        let file = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        guard let line = file?.split(separator: "\n").first, let process = Int32(line),
            let words = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8),
            words.contains(folder)
        else { return nil }
        return process
    }

    /// Whether Patroni answers 200 for a check of its REST API, such as `/primary` or `/sync`.
    func isConfirmed(_ check: String) async -> Bool {
        let answer = try? await exchange(.init(path: check), port: ports.api, timeout: 2)
        return answer?.status == 200
    }

    /// Runs one statement as the superuser, on this member and no other. Blocking.
    func sql(_ statement: String, in database: String = "postgres") throws {
        try PostgreSQLPrograms.sql(
            statement, in: database,
            server: ["-h", "127.0.0.1", "-p", "\(ports.database)", "-U", "postgres"])
    }

    /// Whether new transactions may change something: a setting of this member, even if it is
    /// the primary. Connections stay open.
    func setReadOnly(_ isReadOnly: Bool) async throws {
        let setting = "default_transaction_read_only"
        try await eventually("\(name) changes \(setting)") {
            try await blocking {
                try self.sql(
                    isReadOnly
                        ? "ALTER SYSTEM SET \(setting) = on" : "ALTER SYSTEM RESET \(setting)")
                try self.sql("SELECT pg_reload_conf()")
            }
            return true
        }
    }

    /// The connection URI of the superuser, to this member and no other, whatever its role.
    func url(of database: String) -> Secret {
        Secret(
            "postgres://postgres@127.0.0.1:\(ports.database)/\(database)"
                + "?target_session_attrs=any")
    }

    /// The last lines of Patroni's log, for the message of a failure.
    var lastWords: String { process.withLock { $0?.lastWords } ?? "\(name) does not run" }
}
