// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

/// Registrations that a person ended. They are not repeated automatically, even with a token: a
/// person must start them.
extension RegistrationStateMachine {
    mutating func unregisterPerson(_ person: String) -> [RegistrationEffect] {
        guard let phase = people[person]?.phase, phase.isRegistered else { return [] }
        let owner = plan?.owner(of: person)
        let isReady = owner.map { devices[$0]?.phase == .registered } ?? false
        let effects = stop(person) + [.forget(.person(person))]
        people[person] = PersonRegistrationState(isReady ? .waiting : .waitingForDevice)
        return effects
    }

    /// Unregisters a device with all of its people. Running calls, such as those of a repair, are
    /// abandoned.
    mutating func unregisterDevice(_ owner: DeviceOwner) -> [RegistrationEffect] {
        guard let phase = devices[owner]?.phase, phase == .registered || phase.isUnderWay else {
            return []
        }
        var effects: [RegistrationEffect] = []
        if case .registering(let attempt) = phase {
            effects.append(.abandon(attempt: attempt.number))
        }
        for person in orderedPeople where plan?.owner(of: person) == owner {
            // A person that the provider refused permanently is refused on the next registration of
            // the device too.
            guard people[person]?.phase != .refused else { continue }
            effects += stop(person) + [.forget(.person(person))]
            people[person] = PersonRegistrationState(.waitingForDevice)
        }
        devices[owner] = DeviceRegistrationState(.waiting)
        return effects + [.forget(.device(owner))] + leaveOutgoing()
    }

    private func stop(_ person: String) -> [RegistrationEffect] {
        attemptNumber(of: person).map { [.abandon(attempt: $0)] } ?? []
    }
}

/// Keys that other keys replaced. They are deleted after the provider was notified: otherwise it
/// could not be notified, and would list the device twice.
extension RegistrationStateMachine {
    /// Whether keys that take the place of others are not all registered yet.
    private var isMigrating: Bool {
        devices.values.contains { $0.pending.contains(.registrationDeviceKeyMigration) }
    }

    /// Not before the last of the new ones is registered, which comes back here, or given up.
    mutating func leaveOutgoing() -> [RegistrationEffect] {
        leavingAt = nil
        return isMigrating ? [] : outgoing.map(RegistrationEffect.leave)
    }

    mutating func left(
        _ owner: DeviceOwner, _ isTold: Bool, now: Timestamp
    ) -> [RegistrationEffect] {
        // Else it is their turn again.
        guard outgoing.contains(owner), !isMigrating else { return [] }
        guard isTold else {
            leavingAt = retryTime(now)
            return []
        }
        outgoing.removeAll { $0 == owner }
        return [.forget(.device(owner))]
    }
}
