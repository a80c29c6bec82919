// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

extension RegistrationStateMachine {
    /// Silently where that can succeed: with a token, or where the device is known already. Else a
    /// person is told.
    mutating func startDevice(
        _ owner: DeviceOwner, pending: ExtensionRequestOptions = []
    ) -> [RegistrationEffect] {
        retainKeys(of: owner)
        let isSilent = plan?.hasToken(for: owner) == true || !pending.isEmpty
        guard isSilent else {
            devices[owner] = DeviceRegistrationState(.waiting, pending: pending)
            return [.prompt(.device(owner))]
        }
        return callDevice(owner, pending, presence: nil)
    }

    /// Removes an owner from those whose keys leave: the keys are used again.
    mutating func retainKeys(of owner: DeviceOwner) { outgoing.removeAll { $0 == owner } }

    private mutating func callDevice(
        _ owner: DeviceOwner, _ pending: ExtensionRequestOptions, presence: String?,
        hasUserInterface: Bool = false
    ) -> [RegistrationEffect] {
        let options = hasUserInterface ? pending.union(.userInteractionEnabled) : pending
        let attempt = attempt(options, presence: presence)
        devices[owner] = DeviceRegistrationState(.registering(attempt), pending: pending)
        return [.begin(.device(owner), attempt)]
    }

    mutating func beginDevice(_ owner: DeviceOwner, by person: String) -> [RegistrationEffect] {
        guard plan != nil, let track = devices[owner] else { return [.decline(.notConfigured)] }
        return switch track.phase {
        case .waiting, .retrying: callDevice(owner, track.pending, presence: person)
        case .registering: [.decline(.underWay)]
        case .refused: [.decline(.notBeforeChange)]
        case .registered: [.decline(.alreadyRegistered)]
        }
    }

    mutating func answerDevice(
        _ owner: DeviceOwner, _ number: UInt64, _ result: ExtensionRegistrationResult,
        now: Timestamp
    ) -> [RegistrationEffect] {
        guard let track = devices[owner], case .registering(let attempt) = track.phase,
            attempt.number == number
        else { return [] }
        switch result {
        case .success: return deviceRegistered(owner, attempt)
        case .userInterfaceRequired where !attempt.hasUserInterface:
            guard attempt.presence == nil else {
                return callDevice(
                    owner, track.pending, presence: attempt.presence, hasUserInterface: true)
            }
            devices[owner]?.phase = .waiting
            return [.prompt(.device(owner))]
        case .failed, .userInterfaceRequired:
            let time = retryTime(now)
            devices[owner]?.phase = .retrying(at: time)
            return []
        case .failedNoRetry:
            devices[owner]?.phase = .refused
            return []
        }
    }

    private mutating func deviceRegistered(
        _ owner: DeviceOwner, _ attempt: RegistrationAttempt
    ) -> [RegistrationEffect] {
        devices[owner] = DeviceRegistrationState(.registered)
        var effects = leaveOutgoing()
        for person in orderedPeople where plan?.owner(of: person) == owner {
            guard let track = people[person] else { continue }
            if attempt.options.contains(.registrationRepair), track.phase.isRegistered {
                effects += startPerson(person, pending: .registrationRepair)
            } else if track.phase == .waitingForDevice {
                effects +=
                    attempt.presence == person
                    ? callPerson(person, track.pending, presence: person)
                    : startPerson(person, pending: track.pending)
            }
        }
        return effects
    }

    /// Registers the device again, with its keys, and then its people.
    mutating func repairDevice(_ owner: DeviceOwner) -> [RegistrationEffect] {
        guard devices[owner]?.phase == .registered else { return [] }
        var effects: [RegistrationEffect] = []
        for person in orderedPeople where plan?.owner(of: person) == owner {
            guard case .registering(let attempt)? = people[person]?.phase else { continue }
            effects.append(.abandon(attempt: attempt.number))
            people[person]?.phase = .waitingForDevice
        }
        return effects + startDevice(owner, pending: .registrationRepair)
    }

    mutating func wake(_ now: Timestamp) -> [RegistrationEffect] {
        var effects: [RegistrationEffect] = []
        for owner in orderedOwners {
            guard let track = devices[owner], case .retrying(let time) = track.phase,
                isDue(time, now)
            else { continue }
            effects += startDevice(owner, pending: track.pending)
        }
        for person in orderedPeople {
            guard let track = people[person] else { continue }
            switch track.phase {
            case .retrying(let time) where isDue(time, now):
                effects += startPerson(person, pending: track.pending)
            case .bindingLater(let time) where isDue(time, now): effects += bindKey(person)
            default: break
            }
        }
        if let leavingAt, isDue(leavingAt, now) { effects += leaveOutgoing() }
        return effects
    }

    /// Repeats interrupted calls. A call with a person waits for the person again.
    mutating func resume() -> [RegistrationEffect] {
        var effects: [RegistrationEffect] = []
        for owner in orderedOwners {
            guard let track = devices[owner], case .registering = track.phase else { continue }
            effects += startDevice(owner, pending: track.pending)
        }
        for person in orderedPeople {
            guard let track = people[person] else { continue }
            switch track.phase {
            case .registering: effects += startPerson(person, pending: track.pending)
            case .bindingKey: effects += bindKey(person)
            case .signingIn: effects.append(.signIn(person))
            default: break
            }
        }
        return effects + leaveOutgoing()
    }
}

extension PersonPhase {
    /// Whether the provider knows the person on this device.
    var isRegistered: Bool {
        switch self {
        case .signingIn, .bindingKey, .bindingLater, .registered: true
        case .waitingForDevice, .waiting, .registering, .retrying, .refused: false
        }
    }
}
