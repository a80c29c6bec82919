// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn
import Synchronization
import Testing

@testable import Agent

@Suite @AgentActor struct ExtensionCallsTests {
    private let background = BackgroundWork()
    private let events = RecordedEvents()
    private let calls: ExtensionCalls

    init() { calls = ExtensionCalls(notices: NoNotices(), background: background) }

    /// Returns when no background work runs.
    private func finish() async { while background.count > 0 { await Task.yield() } }

    @Test("Requests have numbers that no registration has, and each has another")
    func numbers() {
        let (first, second) = (calls.openRequest(), calls.openRequest())
        #expect(first != second && min(first, second) > UInt64.max / 2)
        #expect(calls.isOpen(first) && !calls.isEmpty)
    }

    @Test("A closed call refuses changes")
    func closed() {
        let number = calls.openRequest()
        #expect(throws: Never.self) { try calls.confirm(number) }
        calls.closeRequest(number, events)
        #expect(throws: PresentationError.callOver) { try calls.confirm(number) }
    }

    @Test("What a call requested starts when the call is closed")
    func needs() async {
        let number = calls.openRequest()
        let place = KeyOwner(owner: .everyone, account: "anna")
        calls.add(RequestedNeed(need: .personRepair, place: place), to: number)
        #expect(events.met.isEmpty)
        #expect(calls.closeRequest(number, events))
        await finish()
        #expect(events.met.map(\.need) == [.personRepair])
        #expect(!calls.closeRequest(calls.openRequest(), events))
    }

    @Test(
        "An abandoned call starts nothing that it requested, and its device keys are registered again"
    )
    func abandoned() async {
        let number = calls.openRequest()
        let place = KeyOwner(owner: .everyone, account: nil)
        calls.add(RequestedNeed(need: .decryptionKeys, place: place), to: number)
        calls.setReset(.everyone, of: number)
        calls.abandon(number, events)
        await finish()
        #expect(events.met.isEmpty)
        #expect(events.handled == [.needsRepair(.device(.everyone))])
    }

    @Test("A reason of a call that has ended is dropped")
    func reasons() {
        let number = calls.openRequest()
        calls.explain("first", TestRecord.anna, attempt: number)
        #expect(calls.reasons[TestRecord.anna] == "first")
        calls.closeRequest(number, events)
        calls.explain("second", TestRecord.anna, attempt: number)
        #expect(calls.reasons[TestRecord.anna] == "first")
        calls.clearReason(of: TestRecord.anna)
        #expect(calls.reasons.isEmpty)
    }
}

/// Records what the components report.
@AgentActor
final class RecordedEvents: AgentEvents {
    private(set) var handled: [RegistrationEvent] = []
    private(set) var met: [RequestedNeed] = []
    private(set) var unknown: [RequestOrigin] = []

    func handle(_ event: RegistrationEvent) async { handled.append(event) }

    func apply(
        _ events: [RegistrationEvent], with change: (inout AgentRecord) -> Void
    ) async throws -> [RegistrationEffect] {
        handled += events
        return []
    }

    func deviceUnknown(_ failure: ProviderError, _ origin: RequestOrigin) async {
        unknown.append(origin)
    }

    func meet(_ call: PendingExtensionCall) async { met += call.needs }
}
