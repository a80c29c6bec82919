// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Primitives
import Storage
import StoragePostgreSQL
import StorageSQL
import Support
import Testing

/// Changes that share commits, and what happens when one of them must not.
/// Skipped where PostgreSQL 15 is not installed: `Scripts/bootstrap` installs it.
@Suite(.enabled(if: PostgreSQLServer.unavailable == nil, "PostgreSQL 15 is not installed"))
struct PostgreSQLGroupCommitTests {
    private func open(
        counting count: CommitCounter? = nil, connections: Int = 4
    ) async throws -> PostgreSQLEngine {
        let engine = PostgreSQLEngine(
            url: try PostgreSQLServer.shared().makeDatabase(), connections: connections,
            counting: count)
        _ = try await engine.change("CREATE TABLE t (a bigint PRIMARY KEY, b bigint NOT NULL)")
        return engine
    }

    private static let insert = "INSERT INTO t VALUES ($1, $2) RETURNING a"

    private func rows(_ engine: PostgreSQLEngine) async throws -> SQLValue? {
        try await engine.query("SELECT count(*) FROM t").first?.values.first
    }

    /// Holds the committing connection for as long as it takes to queue up behind it.
    private static let hold = "SELECT 1 FROM pg_sleep(0.3)"

    @Test("fifty changes that wait for one commit share the next one")
    func shared() async throws {
        let count = CommitCounter()
        let engine = try await open(counting: count)
        let before = count.commits
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await engine.change(Self.hold) }
            for number in 1...50 {
                group.addTask {
                    let rows = try await engine.change(Self.insert, number, 0)
                    #expect(rows.first?.values == [.integer(Int64(number))])
                }
            }
            try await group.waitForAll()
        }
        #expect(try await rows(engine) == .integer(50))
        // The one that held, whatever travelled with it, and the rest: three at the most.
        #expect(count.commits - before <= 3 && count.writes == 52)
        await engine.close()
    }

    @Test("one change of a batch fails by itself, all others happen")
    func oneFails() async throws {
        let engine = try await open()
        _ = try await engine.change(Self.insert, 25, 0)
        let outcomes = await withTaskGroup(of: (Int, StorageError.Code?).self) { group in
            group.addTask { (0, await Self.code { _ = try await engine.change(Self.hold) }) }
            for number in 1...50 {
                group.addTask {
                    (
                        number,
                        await Self.code { _ = try await engine.change(Self.insert, number, 0) }
                    )
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes == [25: .conflict])
        #expect(try await rows(engine) == .integer(50))
        await engine.close()
    }

    @Test("a statement that the server does not understand fails alone")
    func nonsense() async throws {
        let engine = try await open()
        let outcomes = await withTaskGroup(of: (Int, StorageError.Code?).self) { group in
            for number in 1...20 {
                let statement = number == 7 ? "INSERT INTO nowhere VALUES ($1, $2)" : Self.insert
                group.addTask {
                    (number, await Self.code { _ = try await engine.change(statement, number, 0) })
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes == [7: .engine])
        #expect(try await rows(engine) == .integer(19))
        await engine.close()
    }

    @Test("of several sets of arguments all are written or none, and conflicts say so")
    func sets() async throws {
        for connections in [1, 4] {
            let engine = try await open(connections: connections)
            try await engine.change(
                Self.insert, each: (1...20).map { [.integer($0), .integer(0)] })
            #expect(try await rows(engine) == .integer(20))
            let code = await Self.code {
                try await engine.change(
                    Self.insert, each: [21, 22, 20].map { [.integer($0), .integer(0)] })
            }
            #expect(code == .conflict)
            #expect(try await rows(engine) == .integer(20))
            await engine.close()
        }
    }

    @Test("a change that waits for a lock does not hold up the others")
    func locked() async throws {
        let engine = try await open()
        try await engine.change(Self.insert, each: [1, 2].map { [.integer($0), .integer(0)] })
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let otherIsDone = DispatchSemaphore(value: 0)
        async let holder: Void = engine.write { connection in
            _ = try connection.change("UPDATE t SET b = 1 WHERE a = 1")
            hold.yield()
            #expect(otherIsDone.wait(timeout: .now() + 60) == .success)
        }
        for await _ in held { break }
        async let waiting = engine.change("UPDATE t SET b = b + 10 WHERE a = 1 RETURNING b")
        let other = try await engine.change("UPDATE t SET b = 5 WHERE a = 2 RETURNING b")
        #expect(other.first?.values == [.integer(5)])
        otherIsDone.signal()
        #expect(try await waiting.first?.values == [.integer(11)])
        try await holder
        await engine.close()
    }

    @Test("of many changes that want one row exactly one wins, in one batch too")
    func race() async throws {
        let engine = try await open()
        _ = try await engine.change(Self.insert, 1, 0)
        let winners = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                _ = try await engine.change(Self.hold)
                return 0
            }
            for _ in 0..<40 {
                group.addTask {
                    try await engine.change("UPDATE t SET b = 1 WHERE a = 1 AND b = 0 RETURNING a")
                        .count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(winners == 1)
        await engine.close()
    }

    private static func code(_ body: () async throws -> Void) async -> StorageError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? StorageError)?.code
        }
    }
}
