// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Primitives
import Storage
import StorageSQL
import Support
import Testing

@testable import StoragePostgreSQL

/// Time limits, and connections whose server no longer accepts changes.
/// Skipped if PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLLimitTests {
    private func open(
        connections: Int = 4, attributes: String = "read-write",
        counting count: CommitCounter? = nil
    ) async throws -> PostgreSQLEngine {
        let url = try PostgreSQLServer.shared().makeDatabase().revealText()
        let engine = PostgreSQLEngine(
            url: Secret("\(url)?target_session_attrs=\(attributes)"), connections: connections,
            counting: count)
        for table in ["t", "u"] {
            _ = try await engine.change("CREATE TABLE \(table) (a bigint PRIMARY KEY)")
        }
        return engine
    }

    private static func code(_ body: () async throws -> Void) async -> StorageError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? StorageError)?.code
        }
    }

    @Test("a session has limits for locks and statements, and a long read has none")
    func limits() async throws {
        let engine = try await open(connections: 1)
        let read = "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')"
        #expect(try await engine.query(read).first?.values == [.text("15s"), .text("3s")])
        let long = try await engine.snapshot { try $0.query(read) }
        #expect(long.first?.values == [.text("0"), .text("3s")])
        #expect(try await engine.query(read).first?.values == [.text("15s"), .text("3s")])
        await engine.close()
    }

    @Test("a locked table is an error of its own reads, and those of other tables are answered")
    func lockedTable() async throws {
        let engine = try await open()
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let isDone = DispatchSemaphore(value: 0)
        async let holder: Void = engine.write { connection in
            try connection.define("LOCK TABLE t IN ACCESS EXCLUSIVE MODE")
            hold.yield()
            #expect(isDone.wait(timeout: .now() + 60) == .success)
        }
        for await _ in held { break }
        // More than there are connections, several times over.
        await withTaskGroup(of: StorageError.Code?.self) { group in
            for _ in 0..<40 {
                group.addTask { await Self.code { _ = try await engine.query("SELECT a FROM t") } }
            }
            for await code in group { #expect(code == .contention) }
        }
        #expect(try await engine.query("SELECT a FROM u").isEmpty)
        isDone.signal()
        try await holder
        try await eventually("the table is read again") {
            (try? await engine.query("SELECT a FROM t")) != nil ? true : nil
        }
        await engine.close()
    }

    @Test("changes that wait for a locked row leave connections for reads")
    func lockedRow() async throws {
        let engine = try await open()
        _ = try await engine.change("INSERT INTO t VALUES (1)")
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let isDone = DispatchSemaphore(value: 0)
        async let holder: Void = engine.write { connection in
            _ = try connection.change("UPDATE t SET a = a")
            hold.yield()
            #expect(isDone.wait(timeout: .now() + 60) == .success)
        }
        for await _ in held { break }
        // More than there are connections. They wait as long as the holder does, or in vain.
        let waiting = Task {
            await withTaskGroup(of: StorageError.Code?.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        await Self.code {
                            try await engine.write { _ = try $0.change("UPDATE t SET a = a") }
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        try await eventually("changes wait for the row") {
            let waits = try await engine.query(
                """
                SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
                AND datname = current_database()
                """)
            return waits.isEmpty ? nil : true
        }
        for _ in 0..<50 { #expect(try await engine.query("SELECT a FROM t").count == 1) }
        isDone.signal()
        try await holder
        #expect(await waiting.value.allSatisfy { $0 == nil || $0 == .contention })
        await engine.close()
    }

    /// With `any` the server refuses the change; otherwise the connection is not used.
    private static let attributes = ["any", "read-write"]

    @Test(
        "a transaction that a read-only server refuses is run on a new connection",
        arguments: attributes)
    func readOnlyTransaction(attributes: String) async throws {
        let engine = try await open(connections: 2, attributes: attributes)
        // As a primary that was demoted: there is one connection for transactions.
        try await engine.read { try $0.define("SET default_transaction_read_only = on") }
        try await engine.write { _ = try $0.change("INSERT INTO t VALUES (1)") }
        #expect(try await engine.query("SELECT a FROM t").count == 1)
        await engine.close()
    }

    @Test(
        "shared commits continue on a new connection after a read-only server",
        arguments: attributes)
    func readOnlySharedCommit(attributes: String) async throws {
        let count = CommitCounter()
        let engine = try await open(attributes: attributes, counting: count)
        _ = try await engine.change("SET default_transaction_read_only = on")
        _ = try await engine.change("INSERT INTO t VALUES (1)")
        let commits = count.commits
        _ = try await engine.change("INSERT INTO t VALUES (2)")
        #expect(count.commits == commits + 1)
        #expect(try await engine.query("SELECT a FROM t").count == 2)
        await engine.close()
    }

    @Test("of several hosts the one that accepts changes is used")
    func hosts() async throws {
        let url = try PostgreSQLServer.shared().makeDatabase().revealText()
        let several = url.replacing("gatehouse@", with: "gatehouse@%2Fno%2Fsuch%2Fdirectory,")
        let engine = PostgreSQLEngine(url: Secret(several), connections: 2)
        _ = try await engine.change("CREATE TABLE t (a bigint)")
        try await engine.ping()
        await engine.close()
    }

    @Test("a server that accepts no changes is unavailable, unless the URL permits it")
    func standby() async throws {
        let url = try PostgreSQLServer.shared().makeDatabase().revealText()
        let engine = PostgreSQLEngine(url: Secret(url), connections: 2)
        let name = try #require(url.split(separator: "/").last)
        _ = try await engine.query("SELECT 1")
        _ = try await engine.write {
            try $0.define("ALTER DATABASE \(name) SET default_transaction_read_only = on")
        }
        await engine.close()
        let refused = PostgreSQLEngine(url: Secret(url), connections: 2)
        #expect(await Self.code { try await refused.ping() } == .unavailable)
        await refused.close()
        let permitted = PostgreSQLEngine(
            url: Secret(url + "?target_session_attrs=any"), connections: 2)
        try await permitted.ping()
        await permitted.close()
    }

    @Test("after a failed attempt to connect there is a moment without attempts")
    func attempts() throws {
        let attempts = ConnectAttempts()
        try attempts.check(now: 0)
        attempts.failed("no server", now: 1_000)
        #expect(throws: StorageError.self) { try attempts.check(now: 1_199) }
        try attempts.check(now: 1_200)
        attempts.failed("no server", now: 1_300)
        attempts.succeeded()
        try attempts.check(now: 1_301)
    }

    @Test("of the reads of a locked table one in a second waits for the lock")
    func lockedStatements() {
        let locked = LockedStatements()
        #expect(!locked.refuses("a", now: 0))
        locked.timedOut("a", now: 0)
        #expect(locked.refuses("a", now: 999) && !locked.refuses("b", now: 999))
        #expect(!locked.refuses("a", now: 1_000))
        #expect(locked.refuses("a", now: 1_001))
        locked.succeeded("a")
        #expect(!locked.refuses("a", now: 1_002))
    }

    @Test(
        "an error says whether its connection is of further use",
        arguments: [
            ("25006", true), ("57P01", true), ("57P02", true), ("57P03", true), ("08006", true),
            ("57014", false), ("55P03", false), ("23505", false), ("40001", false),
        ])
    func states(state: String, isLost: Bool) {
        let error = PostgreSQLError(state: state, reason: "", connectionLost: false)
        #expect(error.needsNewConnection == isLost)
        #expect((error.storeError.code == .unavailable) == isLost)
    }
}
