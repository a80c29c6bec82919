// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import StoragePostgreSQL
import StorageSQL
import Support

/// Two PostgreSQL servers under Patroni, with synchronous replication and a third member of raft.
final class PatroniCluster: Sendable {
    /// Why there can be none on this machine; `nil` if there can.
    static var unavailable: String? {
        if let reason = PostgreSQLServer.unavailable { return reason }
        let programs = ["patroni", "patroni_raft_controller", "haproxy"]
        if let missing = programs.first(where: { !Repository.has($0) }) {
            return "\(missing) is not installed"
        }
        let raft = "/usr/lib/python3/dist-packages/pysyncobj"
        return FileManager.default.fileExists(atPath: raft) ? nil : "Patroni has no raft"
    }

    let members: [PatroniMember]
    private let witness: RaftWitness

    /// Starts it and waits until a change of the primary is confirmed by the standby.
    init(_ name: String, firstPort: Int) async throws {
        let logs = try ["one", "two", "witness"].map {
            try Repository.outputFile("\(name)-patroni-\($0).log")
        }
        let raft = (0..<3).map { firstPort + 4 + $0 }
        members = try (0..<2).map { index in
            try PatroniMember(
                ["one", "two"][index],
                ports: .init(
                    database: firstPort + index, api: firstPort + 2 + index, raft: raft[index]),
                partners: raft.filter { $0 != raft[index] }, log: logs[index])
        }
        witness = try RaftWitness(port: raft[2], partners: Array(raft[..<2]), log: logs[2])
        for member in members { try member.start() }
        _ = try await standby()
    }

    /// The number of neighbouring ports that a cluster uses.
    static let portCount = 7

    func primary() async throws -> PatroniMember { try await member("/primary") }

    /// The standby that confirms each commit.
    func standby() async throws -> PatroniMember { try await member("/sync") }

    private func member(_ check: String) async throws -> PatroniMember {
        do {
            return try await eventually("a member answers \(check)", within: .seconds(120)) {
                for member in members {
                    try member.startAgainIfEnded()
                    if await member.isConfirmed(check) { return member }
                }
                return nil
            }
        } catch {
            throw HarnessError("\(error): \(members.map(\.lastWords))")
        }
    }

    /// Creates a role that may sign in, and its database.
    func makeDatabase(_ name: String) async throws {
        let primary = try await primary()
        try await blocking {
            try primary.sql("CREATE ROLE \(name) LOGIN")
            try primary.sql("CREATE DATABASE \(name) OWNER \(name)")
        }
    }

    /// As an operator does before maintenance: the standby becomes the primary.
    func switchOver() async throws -> Outage {
        let (old, new) = (try await primary(), try await standby())
        let start = ContinuousClock.now
        async let answer = exchange(
            .init(
                method: "POST", path: "/switchover",
                headers: [("Content-Type", "application/json")],
                body: Array(#"{"leader": "\#(old.name)", "candidate": "\#(new.name)"}"#.utf8)),
            port: old.ports.api, timeout: 60)
        let end = try await Self.acceptsChanges(new)
        let done = try await answer
        guard done.status == 200 else { throw HarnessError("switchover: \(done.text)") }
        return Outage(start: start, end: end)
    }

    /// The primary and its Patroni are killed. Patroni promotes the standby.
    func killPrimary() async throws -> Outage {
        let (old, new) = (try await primary(), try await standby())
        let start = ContinuousClock.now
        try await blocking { old.kill() }
        return Outage(start: start, end: try await Self.acceptsChanges(new))
    }

    /// A member that was killed is a standby again, which confirms commits.
    func bringBack(_ member: PatroniMember) async throws {
        try member.start()
        try await eventually("\(member.name) is a standby", within: .seconds(60)) {
            await member.isConfirmed("/sync") ? true : nil
        }
    }

    /// Waits until the member has accepted a change, and returns when that was.
    private static func acceptsChanges(
        _ member: PatroniMember
    ) async throws -> ContinuousClock.Instant {
        let engine = PostgreSQLEngine(url: member.url(of: "postgres"), connections: 1)
        defer { Task { await engine.close() } }
        try await eventually("\(member.name) is promoted", within: .seconds(60)) {
            let promoted = "SELECT 1 WHERE NOT pg_is_in_recovery()"
            return try await engine.query(promoted).isEmpty ? nil : true
        }
        return try await eventually("\(member.name) accepts changes") {
            _ = try await engine.change("CREATE TABLE IF NOT EXISTS probe (n int)")
            _ = try await engine.change("INSERT INTO probe VALUES (1)")
            return ContinuousClock.now
        }
    }

    func stop() async throws {
        try await blocking { [members] in for member in members { member.kill() } }
        try await witness.stop()
    }
}

/// The third member of raft, without a database.
private final class RaftWitness: Sendable {
    private let folder: String
    private let child: ChildProcess

    init(port: Int, partners: [Int], log: URL) throws {
        folder = try PostgreSQLPrograms.makeFolder()
        let file = "\(folder)/raft.yml"
        let text = PatroniConfiguration.witness(folder: folder, port: port, partners: partners)
        try Data(text.utf8).write(to: URL(filePath: file))
        child = try PostgreSQLPrograms.start(
            PostgreSQLPrograms.asUser(["/usr/bin/patroni_raft_controller", file]), log: log)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func stop() async throws { try await child.stop(SIGKILL) }
}
