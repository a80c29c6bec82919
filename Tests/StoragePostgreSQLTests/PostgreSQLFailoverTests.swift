// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import StorageSQL
import Support
import Testing

@testable import StoragePostgreSQL

/// Servers that respond and accept no changes, and servers that do not respond, on connections that
/// stay open. The story of a cluster is `EndToEnd/Failover`.
/// Skipped if PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLFailoverTests {
    private static func code(_ body: () async throws -> Void) async -> StorageError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? StorageError)?.code
        }
    }

    private static func setReadOnly(_ isReadOnly: Bool, _ server: PostgreSQLServer) throws {
        let setting = "default_transaction_read_only"
        try server.sql(
            isReadOnly ? "ALTER SYSTEM SET \(setting) = on" : "ALTER SYSTEM RESET \(setting)",
            in: "postgres")
        try server.sql("SELECT pg_reload_conf()", in: "postgres")
    }

    @Test("a primary that accepts no more changes is unavailable for health and for reads")
    func readOnly() async throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        let engine = PostgreSQLEngine(url: try server.makeDatabase(), connections: 3)
        try await engine.ping()
        _ = try await engine.change("CREATE TABLE t (a bigint)")
        try Self.setReadOnly(true, server)
        // The first response after the change of the setting reports it.
        try await eventually("the server is unavailable") {
            let ping = await Self.code { try await engine.ping() }
            let read = await Self.code { _ = try await engine.query("SELECT a FROM t") }
            return ping == .unavailable && read == .unavailable ? true : nil
        }
        try Self.setReadOnly(false, server)
        try await eventually("the server is available") {
            try await engine.ping()
            return try await engine.query("SELECT a FROM t").isEmpty
        }
        _ = try await engine.change("INSERT INTO t VALUES (1)")
        await engine.close()
    }

    @Test("a stopped server ends every connection to it, and nothing waits without end")
    func stopped() async throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        let url = try server.makeDatabase().revealText()
        let engine = PostgreSQLEngine(
            url: Secret(url + "?connect_timeout=2"), connections: 3,
            shared: .init(patience: 200))
        _ = try await engine.change("CREATE TABLE t (a bigint)")
        for _ in 0..<4 { _ = try await engine.query("SELECT a FROM t") }
        try await engine.ping()
        server.freeze()
        async let change = Self.code { _ = try await engine.change("INSERT INTO t VALUES (1)") }
        async let read = Self.code { _ = try await engine.query("SELECT a FROM t") }
        async let ping = Self.code { try await engine.ping() }
        #expect(await change == .outcomeUnknown)
        #expect(await read == .unavailable)
        #expect(await ping == .unavailable)
        server.thaw()
        try await eventually("the server is available") {
            try await engine.ping()
            _ = try await engine.change("INSERT INTO t VALUES (2)")
            return try await engine.query("SELECT a FROM t WHERE a = 2").isEmpty ? nil : true
        }
        await engine.close()
    }

    @Test("a statement that takes longer than a server may be silent is not given up")
    func long() async throws {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: 2,
            shared: .init(patience: 50))
        let sleep = "SELECT 1 FROM pg_sleep(0.4)"
        #expect(try await engine.query(sleep).count == 1)
        #expect(try await engine.change(sleep).count == 1)
        #expect(try await engine.write { try $0.query(sleep) }.count == 1)
        await engine.close()
    }

    @Test("no connection from before a server fell silent is used")
    func generation() {
        let attempts = ConnectAttempts()
        let before = attempts.generation
        attempts.serverFellSilent()
        #expect(attempts.generation == before + 1)
    }

    @Test(
        "the URL says whether a server that accepts no changes is of use",
        arguments: [("read-write", true), ("primary", false), ("any", false)])
    func requirement(attributes: String, isViolated: Bool) async throws {
        let url = try PostgreSQLServer.shared().makeDatabase().revealText()
        let connection = PostgreSQLConnection(
            url: "\(url)?target_session_attrs=\(attributes)", greeting: "SELECT 1",
            shared: .init())
        try connection.connect()
        #expect(!connection.isReadOnly)
        try connection.command("SET default_transaction_read_only = on")
        #expect(connection.isReadOnly == isViolated)
    }
}
