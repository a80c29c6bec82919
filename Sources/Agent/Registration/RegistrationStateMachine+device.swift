// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn

extension RegistrationStateMachine {
    /// Calls the extension silently if that can succeed: with a token, or for a known device. Otherwise
    /// prompts a person.
    mutating func startDevice(
        _ owner: DeviceOwner, pending: ExtensionRequestOptions = []
    ) -> [RegistrationEffect] {
        retainKeys(of: owner)
        let isSilent = registrations.plan?.hasToken(for: owner) == true || !pending.isEmpty
        guard isSilent else {
            registrations.devices[owner] = SubjectState(.waiting, pending: pending)
            return [.prompt(.device(owner))]
        }
        return call(.device(owner), pending, presence: nil)
    }

    /// Removes an owner from those whose keys leave: the keys are used again.
    mutating func retainKeys(of owner: DeviceOwner) {
        registrations.outgoing.removeAll { $0 == owner }
    }

    mutating func beginDevice(_ owner: DeviceOwner, by person: String) -> [RegistrationEffect] {
        guard registrations.plan != nil, let track = registrations.devices[owner] else {
            return [.decline(.notConfigured)]
        }
        return switch track.phase {
        case .waiting, .retrying: call(.device(owner), track.pending, presence: person)
        case .registering: [.decline(.underWay)]
        case .refused: [.decline(.notBeforeChange)]
        case .registered: [.decline(.alreadyRegistered)]
        }
    }

    mutating func deviceRegistered(
        _ owner: DeviceOwner, _ attempt: RegistrationAttempt
    ) -> [RegistrationEffect] {
        registrations.devices[owner] = SubjectState(.registered)
        var effects = leaveOutgoing()
        for person in registrations.people(of: owner) {
            guard let track = registrations.people[person] else { continue }
            if attempt.options.contains(.registrationRepair), track.phase.isRegistered {
                effects += startPerson(person, pending: .registrationRepair)
            } else if track.phase == .waitingForDevice {
                effects +=
                    attempt.presence == person
                    ? call(.person(person), track.pending, presence: person)
                    : startPerson(person, pending: track.pending)
            }
        }
        return effects
    }

    /// Registers the device again, with its keys, and then its people.
    mutating func repairDevice(_ owner: DeviceOwner) -> [RegistrationEffect] {
        guard registrations.devices[owner]?.phase == .registered else { return [] }
        var effects: [RegistrationEffect] = []
        for person in registrations.people(of: owner) {
            guard let attempt = registrations.attempt(of: .person(person)) else { continue }
            effects.append(.abandon(attempt: attempt.number))
            registrations.people[person]?.phase = .waitingForDevice
        }
        return effects + startDevice(owner, pending: .registrationRepair)
    }
}
