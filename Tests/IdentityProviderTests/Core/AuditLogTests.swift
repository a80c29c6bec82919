// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage
import Support
import Synchronization
import Testing

@Suite struct AuditLogTests {
    /// Counts writes; fails while told to.
    private final class CountingStore: AuditStore {
        struct Unavailable: Error {}
        let state = Mutex((events: [AuditEvent](), writes: 0, isBroken: false))

        func append(_ events: [AuditEvent]) async throws {
            try state.withLock { state in
                if state.isBroken { throw Unavailable() }
                state.events += events
                state.writes += 1
            }
        }

        func auditEvents(
            _ filter: AuditFilter, before cursor: Identifier<AuditEvent>?, limit: Int
        ) async throws -> [AuditEvent] { state.withLock { $0.events } }
    }

    private let store = CountingStore()
    private let project = Identifier<Project>(now: Timestamp(seconds: 1), random: SeededRandom())

    private func draft(_ action: String, second: Int64 = 60, code: String? = nil) -> AuditEventDraft
    {
        AuditEventDraft(
            action, in: project,
            facts: RequestMetadata(
                now: Timestamp(seconds: second), requestID: "r", address: "127.0.0.1"),
            code: code, clientID: "shop")
    }

    @Test("an event is there when record returns; refusals carry their code")
    func durable() async throws {
        let trail = AuditLog(store: store, random: SeededRandom())
        try await trail.record(draft("sign-in.password", code: "wrong_password"))
        let events = store.state.withLock { $0.events }
        #expect(events.count == 1)
        #expect(events.first?.outcome == .refused && events.first?.code == "wrong_password")
    }

    @Test("many events at once share writes and none is lost")
    func shared() async throws {
        let trail = AuditLog(store: store, random: SeededRandom())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { try await trail.record(draft("token.refresh")) } }
            try await group.waitForAll()
        }
        let (count, writes) = store.state.withLock { ($0.events.count, $0.writes) }
        #expect(count == 200 && writes < 200)
    }

    @Test("a failed write is reported to the waiting caller")
    func failure() async {
        store.state.withLock { $0.isBroken = true }
        let trail = AuditLog(store: store, random: SeededRandom())
        await #expect(throws: CountingStore.Unavailable.self) {
            try await trail.record(draft("sign-in.passkey"))
        }
    }

    @Test("counted events become one row each minute and client")
    func counted() async {
        let trail = AuditLog(store: store, random: SeededRandom())
        for _ in 0..<1000 { await trail.count(draft("token.client_credentials")) }
        #expect(store.state.withLock { $0.writes } == 0)
        await trail.count(draft("token.client_credentials", second: 120))
        let events = store.state.withLock { $0.events }
        #expect(events.map(\.count) == [1000])
        await trail.flush()
        #expect(store.state.withLock { $0.events.map(\.count) } == [1000, 1])
    }

    @Test("counts outlive a store that cannot be reached")
    func countsSurvive() async {
        store.state.withLock { $0.isBroken = true }
        let trail = AuditLog(store: store, random: SeededRandom())
        await trail.count(draft("token.client_credentials"))
        await trail.flush()
        store.state.withLock { $0.isBroken = false }
        await trail.count(draft("token.client_credentials"))
        await trail.flush()
        #expect(store.state.withLock { $0.events.reduce(0) { $0 + $1.count } } == 2)
    }
}
