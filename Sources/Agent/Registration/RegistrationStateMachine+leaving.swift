// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

/// Registrations that somebody took back. They are not made again by themselves, not even with a
/// token: whoever wants one again begins it by hand.
extension RegistrationStateMachine {
    mutating func unregisterPerson(_ person: String) -> [RegistrationEffect] {
        guard let phase = people[person]?.phase, phase.isRegistered else { return [] }
        let owner = plan?.owner(of: person)
        let isReady = owner.map { devices[$0]?.phase == .registered } ?? false
        let effects = stop(person) + [.forget(.person(person))]
        people[person] = PersonRegistrationState(isReady ? .waiting : .waitingForDevice)
        return effects
    }

    /// Nobody is registered on a device that is not. What is under way, after a repair perhaps, is
    /// given up.
    mutating func unregisterDevice(_ owner: DeviceOwner) -> [RegistrationEffect] {
        guard let phase = devices[owner]?.phase, phase == .registered || phase.isUnderWay else {
            return []
        }
        var effects: [RegistrationEffect] = []
        if case .registering(let attempt) = phase {
            effects.append(.abandon(attempt: attempt.number))
        }
        for person in orderedPeople where plan?.owner(of: person) == owner {
            // Whom the provider refused for good it refuses on the device's next registration too.
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

/// Keys that others have taken the place of. They are not forgotten before the provider knows that they
/// are done with: nobody could tell it afterwards, and the machine would be there twice.
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
