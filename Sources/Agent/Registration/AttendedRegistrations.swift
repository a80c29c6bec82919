// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Registrations and sign-ins that a person starts and waits for.
@AgentActor
struct AttendedRegistrations {
    let records: RecordStore
    let conversations: Conversations
    let calls: ExtensionCalls
    let signIns: SignIns
    let events: any AgentEvents

    private var machine: RegistrationStateMachine { records.record.machine }

    /// Registers the device.
    func registerDevice(
        by person: String, repair: Bool, _ conversation: any AgentConversation
    ) async throws {
        let owner = machine.deviceOwner(for: person)
        try await attend(person, conversation) {
            if repair {
                try await events.apply([.needsRepair(.device(owner))])
            } else {
                try confirm(try await events.apply([.begun(.device(owner), by: person)]))
            }
            while case .registering? = machine.devices[owner]?.phase { await records.nextChange() }
            guard machine.devices[owner]?.phase == .registered else {
                throw AgentRefusal.unsettled(
                    machine.devices[owner]?.phase.name ?? "gone", calls.reasons[.device(owner)])
            }
        }
    }

    /// Registers a person, and before them the device if necessary, and signs them in.
    func registerPerson(
        _ person: String, repair: Bool, _ conversation: any AgentConversation
    ) async throws {
        try await attend(person, conversation) {
            // A person who mistyped their username is prompted for it again.
            let isDoubted =
                machine.people[person]?.phase == .signingIn
                && records.record.people[person]?.isNameDoubted == true
            if repair || isDoubted { try await events.apply([.needsRepair(.person(person))]) }
            await finished(person)
            let phase = machine.people[person]?.phase
            if !(repair && phase?.isRegistered == true) {
                try confirm(try await events.apply([.begun(.person(person), by: person)]))
            }
            await finished(person)
            if machine.people[person]?.phase == .signingIn {
                try await signedIn(person, conversation)
                await finished(person)
            }
            switch machine.people[person]?.phase {
            case .registered, .bindingLater: return
            case let phase:
                let owner = machine.plan?.owner(of: person)
                throw AgentRefusal.unsettled(
                    phase?.name ?? "gone",
                    calls.reasons[.person(person)] ?? owner.flatMap { calls.reasons[.device($0)] })
            }
        }
    }

    /// Signs a registered person in.
    func signIn(_ person: String, _ conversation: any AgentConversation) async throws {
        try await attend(person, conversation) { try await signedIn(person, conversation) }
    }

    private func signedIn(_ person: String, _ conversation: any AgentConversation) async throws {
        do { try await signIns.signIn(person, conversation) } catch let error as ProviderError {
            throw AgentRefusal.provider(error)
        }
    }

    /// Returns when no call for the registration of the person runs.
    private func finished(_ person: String) async {
        while isUnderWay(person) { await records.nextChange() }
    }

    private func isUnderWay(_ person: String) -> Bool {
        guard let plan = machine.plan else { return false }
        let device = machine.devices[plan.owner(of: person)]?.phase
        switch machine.people[person]?.phase {
        case .registering, .bindingKey: return true
        // `nil` for a new person while the device registers by itself.
        case .waitingForDevice, nil:
            if case .registering? = device { return true } else { return false }
        default: return false
        }
    }

    private func confirm(_ effects: [RegistrationEffect]) throws(AgentRefusal) {
        for case .decline(let reason) in effects { throw .declined(reason) }
    }

    /// Runs `body` with the conversation as that of the person.
    private func attend(
        _ person: String, _ conversation: any AgentConversation, _ body: () async throws -> Void
    ) async throws {
        guard machine.plan != nil else { throw AgentRefusal.notConfigured }
        try await conversations.attend(person, conversation, body)
    }

    /// Cancels the registrations of a person who gave up, or whose connection ended.
    func cancel(_ person: String) async {
        for (subject, _) in machine.attended(by: person) { calls.explain("given up", subject) }
        await events.handle(.cancelled(person))
    }
}
