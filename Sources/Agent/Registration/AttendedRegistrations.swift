// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives

/// Registrations and sign-ins that a person starts and waits for.
@AgentActor
struct AttendedRegistrations {
    let records: RecordStore
    let conversations: Conversations
    let calls: ExtensionCalls
    let signIns: SignIns
    let events: any AgentEvents

    private var registrations: Registrations { records.record.registrations }

    /// Registers the device.
    func registerDevice(
        by person: String, repair: Bool, _ conversation: any AgentConversation
    ) async throws {
        let owner = registrations.deviceOwner(for: person)
        try await attend(person, conversation) {
            if repair {
                try await events.apply([.needsRepair(.device(owner))])
            } else {
                try confirm(try await events.apply([.begun(.device(owner), by: person)]))
            }
            while case .registering? = registrations.devices[owner]?.phase {
                await records.nextChange()
            }
            guard registrations.devices[owner]?.phase == .registered else {
                throw AgentRefusal.unsettled(
                    registrations.devices[owner]?.phase.name ?? "gone",
                    calls.reasons[.device(owner)])
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
                registrations.people[person]?.phase == .signingIn
                && records.record.people[person]?.isNameDoubted == true
            if repair || isDoubted { try await events.apply([.needsRepair(.person(person))]) }
            await finished(person)
            let phase = registrations.people[person]?.phase
            if !(repair && phase?.isRegistered == true) {
                try confirm(try await events.apply([.begun(.person(person), by: person)]))
            }
            await finished(person)
            if registrations.people[person]?.phase == .signingIn {
                try await signedIn(person, conversation)
                await finished(person)
            }
            switch registrations.people[person]?.phase {
            case .registered, .bindingLater: return
            case let phase:
                let owner = registrations.plan?.owner(of: person)
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
        guard let plan = registrations.plan else { return false }
        let device = registrations.devices[plan.owner(of: person)]?.phase
        switch registrations.people[person]?.phase {
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
        guard registrations.plan != nil else { throw AgentRefusal.notConfigured }
        try await conversations.attend(person, conversation, body)
    }

    /// Cancels the registrations of a person who gave up, or whose connection ended.
    func cancel(_ person: String) async {
        for (subject, _) in registrations.attended(by: person) {
            calls.explain("given up", subject)
        }
        await events.handle(.cancelled(person))
    }
}
