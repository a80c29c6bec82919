// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import ProviderSupport
import Storage
import Support
import Synchronization
import Testing

@Suite("Runner of ceremonies") struct CeremonyRunnerTests {
    private let trace = Trace()
    private let log = CapturedLog()
    private let house: PeopleHouse
    private let person: Person
    private let context: CeremonyContext

    init() async throws {
        house = try await PeopleHouse()
        var person = try await house.register().get().person
        person.claims.email = "anna@example.com"
        person.claims.emailVerified = true
        self.person = person
        let provider = try await TestProvider.empty(
            store: house.provider.store, clock: house.clock, random: house.random,
            mail: house.mailbox, log: log.logger)
        provider.audit.setObserver(trace)
        context = CeremonyContext(
            provider: provider, tenant: house.tenant, facts: house.facts, writer: trace)
    }

    private func run(_ ceremony: some CeremonyPhases) async throws -> Refusal? {
        if case .failure(let refusal) = try await CeremonyRunner(context).run(ceremony) {
            return refusal
        }
        return nil
    }

    private func events() async throws -> [AuditEvent] {
        await context.provider.audit.flush()
        return try await house.events("sample")
    }

    @Test("The phases run in order; one event and then the notification follow")
    func order() async throws {
        let outcome = try await CeremonyRunner(context).run(Sample(trace, person))
        #expect(try outcome.get() == "identify verify consume prove decide commit respond")
        _ = try await house.mailbox.next()
        #expect(trace.all == Phase.allCases.map(\.rawValue) + ["event", "notification"])
        let events = try await events()
        #expect(events.map(\.outcome) == [.accepted] && events.map(\.person) == [person.id])
        #expect(events.map(\.clientID) == ["sender"])
        #expect(events.map(\.details) == [#"{"is":"sample"}"#])
        #expect(log.lines.isEmpty)
    }

    @Test("A refusal in any phase ends the ceremony with one event", arguments: Phase.refusing)
    private func refusal(in phase: Phase) async throws {
        let refusal = try await run(Sample(trace, person, refusingIn: phase))
        #expect(refusal?.reason == phase.rawValue)
        #expect(trace.all == phase.withEarlier.map(\.rawValue) + ["event"])
        let events = try await events()
        #expect(events.map(\.code) == ["sample_refused"] && events.map(\.person) == [person.id])
        // Before the sender is identified, the event names none.
        #expect(events.map(\.clientID) == [phase == .identify ? nil : "sender"])
        #expect(log.lines.map(\.message) == ["ceremony refused"])
        #expect(log.lines.first?.metadata["reason"] == phase.rawValue)
    }

    @Test("A thrown error in any phase ends the ceremony without event", arguments: Phase.allCases)
    private func error(in phase: Phase) async throws {
        await #expect(throws: Broken.self) {
            try await run(Sample(trace, person, throwingIn: phase))
        }
        #expect(trace.all == phase.withEarlier.map(\.rawValue))
        #expect(try await events().isEmpty)
    }

    @Test(
        "Each refusal is written, aggregated, or not recorded",
        arguments: [
            (EventRecording.due, [1, 1, 1], 3), (.firstOfMinute, [1, 2], 3), (.counted, [3], 3),
            (.done, [], 3), (.omitted, [], 0),
        ])
    func recording(_ recording: EventRecording, counts: [Int64], observed: Int) async throws {
        for _ in 0..<3 {
            _ = try await run(Sample(trace, person, refusingIn: .prove, recording: recording))
        }
        #expect(try await events().map(\.count).sorted() == counts)
        #expect(trace.all.count { $0 == "event" } == observed)
    }

    @Test("An event that the change has written is not written again")
    func written() async throws {
        _ = try await run(Sample(trace, person, recording: .done))
        #expect(trace.all.contains("event"))
        #expect(try await events().isEmpty)
    }

    @Test("Phases that a ceremony does not have pass their input on")
    func defaults() async throws {
        let change = try await CeremonyRunner(context).run(Smallest()).get()
        #expect(change.event.person == nil)
        #expect(try await house.events("smallest").map(\.outcome) == [.accepted])
    }

    @Test("The refusal of a ceremony whose endpoint logs it is not logged twice")
    func logged() async throws {
        #expect(try await run(Smallest(isRefused: true))?.code == "sample_refused")
        #expect(log.lines.isEmpty)
        #expect(try await house.events("smallest").map(\.outcome) == [.refused])
    }
}

private struct Broken: Error {}

private enum Phase: String, CaseIterable, Sendable {
    case identify, verify, consume, prove, decide, commit, respond

    /// The phases that can refuse.
    static var refusing: [Phase] { allCases.dropLast() }
    /// This phase and those before it.
    var withEarlier: [Phase] { Array(Self.allCases.prefix { $0 != self }) + [self] }
}

/// What happened, in order.
private final class Trace: CeremonyObserver, NotificationComposer, Sendable {
    private let entries = Mutex<[String]>([])

    var all: [String] { entries.withLock { $0 } }

    func append(_ entry: String) { entries.withLock { $0.append(entry) } }

    func observe(action: String, outcome: AuditEvent.Outcome) { append("event") }

    func write(_ notice: AccountNotification) -> (subject: String, text: String) {
        append("notification")
        return ("sample", "-")
    }
}

/// A ceremony with all phases. Its values contain the phases that they have passed.
private struct Sample: CeremonyPhases {
    let trace: Trace
    let person: Person
    var refusing: Phase?
    var throwing: Phase?
    let recording: EventRecording

    init(
        _ trace: Trace, _ person: Person, refusingIn refusing: Phase? = nil,
        throwingIn throwing: Phase? = nil, recording: EventRecording = .due
    ) {
        self.trace = trace
        self.person = person
        self.refusing = refusing
        self.throwing = throwing
        self.recording = recording
    }

    struct Call: CeremonyCall {
        let context: CeremonyContext

        func draft(
            _ action: String, refusal: Refusal?, person: Identifier<Person>?
        ) -> AuditEventDraft {
            var draft = context.draft(action, refusal: refusal, person: person)
            draft.clientID = "sender"
            return draft
        }
    }

    struct Change: CeremonyChange {
        let passed: [String]
        let event: CeremonyEvent
        let notification: CeremonyNotification?
    }

    let action = "sample"

    private func reach(_ phase: Phase) throws -> CeremonyRefusal? {
        trace.append(phase.rawValue)
        if throwing == phase { throw Broken() }
        guard refusing == phase else { return nil }
        return CeremonyRefusal(
            Refusal("sample_refused", "-", reason: phase.rawValue), person: person.id,
            recording: recording)
    }

    private func pass<Value>(
        _ phase: Phase, _ value: Value
    ) throws -> Result<
        Value, CeremonyRefusal
    > {
        try reach(phase).map { .failure($0) } ?? .success(value)
    }

    func identify(_ context: CeremonyContext) async throws -> Result<Call, CeremonyRefusal> {
        try pass(.identify, Call(context: context))
    }

    func verify(_ call: Call) async throws -> Result<[String], CeremonyRefusal> {
        try pass(.verify, ["identify", "verify"])
    }

    func consume(
        _ message: [String], _ call: Call
    ) async throws -> Result<[String], CeremonyRefusal> {
        try pass(.consume, message + ["consume"])
    }

    func prove(_ claim: [String], _ call: Call) async throws -> Result<[String], CeremonyRefusal> {
        try pass(.prove, claim + ["prove"])
    }

    func decide(_ proof: [String], _ call: Call) async throws -> CeremonyRefusal? {
        try reach(.decide)
    }

    func commit(_ proof: [String], _ call: Call) async throws -> Result<Change, CeremonyRefusal> {
        try pass(
            .commit,
            Change(
                passed: proof + ["decide", "commit"],
                event: CeremonyEvent(
                    person: person.id, recording: recording, details: #"{"is":"sample"}"#),
                notification: (.passwordChanged, person)))
    }

    func respond(_ change: Change, _ call: Call) async throws -> String {
        _ = try reach(.respond)
        return (change.passed + ["respond"]).joined(separator: " ")
    }
}

/// A ceremony with the phases that have no default.
private struct Smallest: CeremonyPhases {
    struct Change: CeremonyChange {
        var event: CeremonyEvent { CeremonyEvent(person: nil) }
    }

    var isRefused = false
    let action = "smallest"
    let logsRefusals = false

    func prove(
        _ claim: Void, _ context: CeremonyContext
    ) async throws -> Result<Void, CeremonyRefusal> { .success(()) }

    func decide(_ proof: Void, _ context: CeremonyContext) async throws -> CeremonyRefusal? { nil }

    func commit(
        _ proof: Void, _ context: CeremonyContext
    ) async throws -> Result<Change, CeremonyRefusal> {
        guard !isRefused else {
            return .failure(CeremonyRefusal(Refusal("sample_refused", "-", reason: "-")))
        }
        return .success(Change())
    }
}
