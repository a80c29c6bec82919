// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives

/// What people and programs ask of the agent.
extension Agent {
    /// A person has come to a desktop or a terminal.
    package func arrived(_ person: String) async { await handle(.arrived(person)) }

    /// Registers the device; whoever sits there answers what is asked.
    package func registerDevice(
        by person: String, repair: Bool, _ conversation: any AgentConversation
    ) async throws {
        let owner =
            record.machine.plan?.sharesDeviceKeys == false
            ? DeviceOwner.person(person) : .everyone
        try await attended(by: person, conversation) {
            if repair {
                try await take([.needsRepair(.device(owner))])
            } else {
                try declined(try await take([.begun(.device(owner), by: person)]))
            }
            while case .registering? = record.machine.devices[owner]?.phase { await change() }
            guard record.machine.devices[owner]?.phase == .registered else {
                throw AgentRefusal.unsettled(
                    record.machine.devices[owner]?.phase.name ?? "gone", reasons[.device(owner)])
            }
        }
    }

    /// Registers a person, and before them the device where that is not done, and signs them in.
    package func registerPerson(
        _ person: String, repair: Bool, _ conversation: any AgentConversation
    ) async throws {
        try await attended(by: person, conversation) {
            // Who typed another name than theirs is asked for it again.
            let isDoubted =
                record.machine.people[person]?.phase == .signingIn
                && record.people[person]?.isNameDoubted == true
            if repair || isDoubted { try await take([.needsRepair(.person(person))]) }
            while isUnderWay(person) { await change() }
            let phase = record.machine.people[person]?.phase
            if !(repair && phase?.isRegistered == true) {
                try declined(try await take([.begun(.person(person), by: person)]))
            }
            while isUnderWay(person) { await change() }
            if record.machine.people[person]?.phase == .signingIn {
                try await signedIn(person, conversation)
                while isUnderWay(person) { await change() }
            }
            switch record.machine.people[person]?.phase {
            case .registered, .bindingLater: return
            case let phase:
                let owner = record.machine.plan?.owner(of: person)
                throw AgentRefusal.unsettled(
                    phase?.name ?? "gone",
                    reasons[.person(person)] ?? owner.flatMap { reasons[.device($0)] })
            }
        }
    }

    /// A full login of a registered person.
    package func signIn(_ person: String, _ conversation: any AgentConversation) async throws {
        try await attended(by: person, conversation) { try await signedIn(person, conversation) }
    }

    private func signedIn(_ person: String, _ conversation: any AgentConversation) async throws {
        do { try await signIn(person, conversation as (any AgentConversation)?) } catch {
            if let failure = error as? ProviderError { throw AgentRefusal.provider(failure) }
            throw error
        }
    }

    private func isUnderWay(_ person: String) -> Bool {
        guard let plan = record.machine.plan else { return false }
        let device = record.machine.devices[plan.owner(of: person)]?.phase
        switch record.machine.people[person]?.phase {
        case .registering, .bindingKey: return true
        // `nil` for somebody of whom nobody has heard yet, while the machine registers by itself.
        case .waitingForDevice, nil:
            if case .registering? = device { return true } else { return false }
        default: return false
        }
    }

    private func declined(_ effects: [RegistrationEffect]) throws(AgentRefusal) {
        for case .decline(let reason) in effects { throw .declined(reason) }
    }

    /// While `body` runs, that conversation is the person's, and no other can be.
    private func attended(
        by person: String, _ conversation: any AgentConversation,
        _ body: () async throws -> Void
    ) async throws {
        guard record.machine.plan != nil else { throw AgentRefusal.notConfigured }
        guard conversations[person] == nil else { throw AgentRefusal.declined(.underWay) }
        conversations[person] = conversation
        defer { conversations[person] = nil }
        try await body()
    }

    /// The person gave up, or their connection ended.
    package func cancelled(_ person: String) async {
        for (subject, _) in record.machine.attended(by: person) { explain("given up", subject) }
        await handle(.cancelled(person))
    }

    /// The person's ID token, renewed when it is due.
    package func idToken(of person: String) async throws -> (token: String, session: SignInSession)
    {
        guard record.people[person] != nil else { throw AgentRefusal.notRegistered }
        await renewalEnded(of: person)
        if case .wait = schedule(of: person).step(now: now) {} else { await renew(person) }
        guard let session = record.people[person]?.session,
            schedule(of: person).standing(now: now, latest: earliest) != .signedOut
        else { throw AgentRefusal.signedOut }
        return (session.idToken, session)
    }

    /// Renews the tokens now, whether or not it is due. A renewal that is under way is as good, where it
    /// brings any.
    ///
    /// - Throws: `AgentRefusal` with the reason why not.
    package func refresh(_ person: String) async throws {
        guard let before = record.people[person]?.session else { throw AgentRefusal.signedOut }
        await renewalEnded(of: person)
        if let session = record.people[person]?.session, session != before { return }
        if let refusal = await renew(person, force: true) { throw refusal }
        guard record.people[person]?.session != nil else { throw AgentRefusal.signedOut }
    }
}
