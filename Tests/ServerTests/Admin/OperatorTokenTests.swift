// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSupport
import Storage
import StorageSQLite
import Support
import Synchronization
import Testing

/// The operator's tokens of processes that share a store, each with its own data directory.
@Suite struct OperatorTokenTests {
    /// The file of a data directory.
    private final class File: Sendable {
        private let content: Mutex<Secret>

        init(_ text: String) { content = Mutex(Secret(text)) }

        var token: Secret { content.withLock { $0 } }

        func replace(_ token: Secret) { content.withLock { $0 = token } }
    }

    private let store: any ProviderStore
    private let clock = ManualClock()
    private let files = [File("gha_a"), File("gha_b")]

    init() async throws { store = try await SQLiteStore.temporary() }

    /// A process starts.
    ///
    /// - Parameters:
    ///   - step: of a rotation, at which the process is killed.
    ///   - whenSaved: called when a new token is in the file.
    private func start(
        _ file: File, killedAt step: Step? = nil,
        whenSaved: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> AdminToken {
        let provider = try await TestProvider.empty(store: store, clock: clock)
        let tokens = KilledTokens(tokens: store.operatorTokens, step: step)
        return try await AdminToken(
            file.token, provider, tokens: tokens, lifetime: .minutes(3)
        ) {
            if step == .save { throw Killed() }
            file.replace($0)
            if step == .saved { throw Killed() }
            try await whenSaved()
        }
    }

    @Test("The token of each process is valid at every process")
    func everywhere() async throws {
        let (a, b) = (try await start(files[0]), try await start(files[1]))
        for process in [a, b] {
            #expect(try await process.matches("gha_a"))
            #expect(try await process.matches("gha_b"))
            #expect(try await !process.matches("gha_c"))
        }
    }

    @Test("A restarted process has the token that it had")
    func restart() async throws {
        for _ in 0..<2 { #expect(try await start(files[0]).matches("gha_a")) }
        #expect(files[0].token == Secret("gha_a"))
    }

    @Test("Attack 94: a rotation revokes the tokens of all processes, and no start brings one back")
    func rotation() async throws {
        let (a, b) = (try await start(files[0]), try await start(files[1]))
        let fresh = try #require(try await a.rotate()).revealText()
        #expect(files[0].token == Secret(fresh))
        #expect(try await b.matches(fresh))
        for old in ["gha_a", "gha_b"] { #expect(try await !b.matches(old)) }
        // The second process writes another token into its file, at its next start or renewal.
        try await b.renew()
        let renewed = files[1].token.revealText()
        #expect(renewed != "gha_b")
        for token in [fresh, renewed] { #expect(try await a.matches(token)) }
        let restarted = try await start(File("gha_b"))
        #expect(try await !restarted.matches("gha_b"))
    }

    // MARK: Processes that have ended

    @Test("Attack 102: the token of a process that has ended is refused after three minutes")
    func gone() async throws {
        let (a, b) = (try await start(files[0]), try await start(files[1]))
        clock.advance(by: .seconds(179))
        #expect(try await a.matches("gha_b"))
        try await a.renew()
        clock.advance(by: .seconds(1))
        #expect(try await !a.matches("gha_b"))
        #expect(try await a.matches("gha_a"))
        // An outage of the database was longer than that: at its own process it is valid.
        #expect(try await b.matches("gha_b"))
        #expect(try await a.matches("gha_b"))
    }

    @Test(
        "The token of a process that has stopped is refused at once, and is valid after its start")
    func stopped() async throws {
        let (a, b) = (try await start(files[0]), try await start(files[1]))
        try await b.expire()
        #expect(try await !a.matches("gha_b"))
        _ = try await start(files[1])
        #expect(try await a.matches("gha_b"))
        #expect(files[1].token == Secret("gha_b"))
    }

    // MARK: Interrupted and concurrent rotations

    enum Step: CaseIterable { case register, save, saved, revoke }

    struct Killed: Error {}

    /// The tokens of a process that is killed at a step of a rotation.
    private struct KilledTokens: OperatorTokenStore {
        let tokens: any OperatorTokenStore
        let step: Step?
        let registrations = Counter()

        final class Counter: Sendable {
            private let value = Atomic(0)
            func next() -> Int { value.add(1, ordering: .relaxed).newValue }
        }

        func register(
            operatorToken hash: [UInt8], expiresAt: Timestamp?, now: Timestamp
        ) async throws -> Bool {
            // The first one is at the start of the process.
            if registrations.next() > 1, step == .register { throw Killed() }
            return try await tokens.register(operatorToken: hash, expiresAt: expiresAt, now: now)
        }

        func isActive(operatorToken hash: [UInt8], now: Timestamp) async throws -> Bool {
            try await tokens.isActive(operatorToken: hash, now: now)
        }

        func revokeOperatorTokens(except hash: [UInt8], now: Timestamp) async throws -> Bool {
            if step == .revoke { throw Killed() }
            return try await tokens.revokeOperatorTokens(except: hash, now: now)
        }
    }

    @Test(
        "A process that is killed at any step of a rotation leaves an active token in its file",
        arguments: Step.allCases)
    func interrupted(_ step: Step) async throws {
        let a = try await start(files[0], killedAt: step)
        let b = try await start(files[1])
        await #expect(throws: Killed.self) { _ = try await a.rotate() }
        #expect(try await b.matches(files[0].token.revealText()))
        // The rotation can be repeated, and then revokes the old one.
        let restarted = try await start(files[0])
        #expect(try await restarted.matches(files[0].token.revealText()))
        let fresh = try #require(try await restarted.rotate())
        #expect(try await b.matches(fresh.revealText()))
        #expect(try await !b.matches("gha_a"))
    }

    @Test("Attack 103: of two rotations at once one succeeds, and the other returns no token")
    func concurrent() async throws {
        let b = try await start(files[1])
        let others = Mutex<[Secret?]>([])
        let a = try await start(files[0]) {
            guard others.withLock(\.isEmpty) else { return }
            let token = try await b.rotate()
            others.withLock { $0.append(token) }
        }
        #expect(try await a.rotate() == nil)
        let fresh = try #require(others.withLock { $0.first ?? nil })
        #expect(files[1].token == fresh)
        for process in [a, b] {
            for file in files { #expect(try await process.matches(file.token.revealText())) }
            for old in ["gha_a", "gha_b"] { #expect(try await !process.matches(old)) }
        }
    }
}
