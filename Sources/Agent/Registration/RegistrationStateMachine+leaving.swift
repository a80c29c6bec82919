// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn

/// Registrations that a person ended. They are not repeated automatically, even with a token: a
/// person must start them.
extension RegistrationStateMachine {
    mutating func unregisterPerson(_ person: String) -> [RegistrationEffect] {
        guard let phase = registrations.people[person]?.phase, phase.isRegistered else { return [] }
        let isReady = registrations.isDeviceRegistered(for: person)
        let effects = stop(person) + [.forget(.person(person))]
        registrations.people[person] = SubjectState(isReady ? .waiting : .waitingForDevice)
        return effects
    }

    /// Unregisters a device with all of its people. Running calls, such as those of a repair, are
    /// abandoned.
    mutating func unregisterDevice(_ owner: DeviceOwner) -> [RegistrationEffect] {
        guard let phase = registrations.devices[owner]?.phase,
            phase == .registered || phase.isUnderWay
        else {
            return []
        }
        var effects: [RegistrationEffect] = []
        if case .registering(let attempt) = phase {
            effects.append(.abandon(attempt: attempt.number))
        }
        for person in registrations.people(of: owner) {
            // A person that the provider refused permanently is refused on the next registration of
            // the device too.
            guard registrations.people[person]?.phase != .refused else { continue }
            effects += stop(person) + [.forget(.person(person))]
            registrations.people[person] = SubjectState(.waitingForDevice)
        }
        registrations.devices[owner] = SubjectState(.waiting)
        return effects + [.forget(.device(owner))] + leaveOutgoing()
    }
}

/// Keys that other keys replaced. They are deleted after the provider was notified: otherwise it
/// could not be notified, and would list the device twice.
extension RegistrationStateMachine {
    /// Notifies the provider when the last of the new keys is registered or cancelled.
    mutating func leaveOutgoing() -> [RegistrationEffect] {
        registrations.leavingAt = nil
        return registrations.isMigrating ? [] : registrations.outgoing.map(RegistrationEffect.leave)
    }

    mutating func left(
        _ owner: DeviceOwner, _ isTold: Bool, now: Timestamp
    ) -> [RegistrationEffect] {
        // Otherwise the keys are used again.
        guard registrations.outgoing.contains(owner), !registrations.isMigrating else { return [] }
        guard isTold else {
            registrations.leavingAt = retryTime(now)
            return []
        }
        registrations.outgoing.removeAll { $0 == owner }
        return [.forget(.device(owner))]
    }
}
