// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn

extension RegistrationStateMachine {
    mutating func arrive(_ person: String) -> [RegistrationEffect] {
        guard registrations.plan?.concerns(person) != false else { return [] }
        guard let track = registrations.people[person] else { return meet(person) }
        return switch track.phase {
        case .waiting: [.prompt(.person(person))]
        case .signingIn: [.signIn(person)]
        case .waitingForDevice: promptForDevice(of: person)
        default: []
        }
    }

    private mutating func meet(_ person: String) -> [RegistrationEffect] {
        registrations.people[person] = SubjectState(.waitingForDevice)
        guard let plan = registrations.plan else { return [] }
        let owner = plan.owner(of: person)
        guard let device = registrations.devices[owner] else { return startDevice(owner) }
        return device.phase == .registered ? startPerson(person) : promptForDevice(of: person)
    }

    private func promptForDevice(of person: String) -> [RegistrationEffect] {
        guard let owner = registrations.plan?.owner(of: person),
            registrations.devices[owner]?.phase == .waiting
        else { return [] }
        return [.prompt(.device(owner))]
    }

    mutating func depart(_ person: String) -> [RegistrationEffect] {
        guard registrations.people[person] != nil else { return [] }
        var effects = stop(person) + [.forget(.person(person))]
        registrations.people[person] = nil
        let own = DeviceOwner.person(person)
        if let track = registrations.devices.removeValue(forKey: own) {
            if case .registering(let attempt) = track.phase {
                effects.append(.abandon(attempt: attempt.number))
            }
            effects.append(.forget(.device(own)))
        }
        return effects + leaveOutgoing()
    }

    /// Prompts the person, or calls the extension silently if it knows the person. If the device is not
    /// registered, the person waits: `deviceRegistered` calls this function again.
    mutating func startPerson(
        _ person: String, pending: ExtensionRequestOptions = []
    ) -> [RegistrationEffect] {
        guard registrations.isDeviceRegistered(for: person) else {
            registrations.people[person] = SubjectState(.waitingForDevice, pending: pending)
            return []
        }
        guard pending.isEmpty else { return call(.person(person), pending, presence: nil) }
        registrations.people[person] = SubjectState(.waiting)
        return [.prompt(.person(person))]
    }

    mutating func begin(
        _ subject: RegistrationSubject, by presence: String
    ) -> [RegistrationEffect] {
        guard let plan = registrations.plan else { return [.decline(.notConfigured)] }
        switch subject {
        case .device(let owner): return beginDevice(owner, by: presence)
        case .person(let person):
            guard !plan.exemptAccounts.contains(person) else { return [.decline(.exempt)] }
            guard plan.concerns(person) else { return [.decline(.notConfigured)] }
            let owner = plan.owner(of: person)
            if registrations.people[person] == nil {
                registrations.people[person] = SubjectState(.waitingForDevice)
            }
            if registrations.devices[owner] == nil {
                retainKeys(of: owner)
                registrations.devices[owner] = SubjectState(.waiting)
            }
            // A person who starts here continues with their registration once the device is
            // registered.
            return registrations.isDeviceRegistered(for: person)
                ? beginPerson(person, by: presence) : beginDevice(owner, by: person)
        }
    }

    private mutating func beginPerson(
        _ person: String, by presence: String
    ) -> [RegistrationEffect] {
        guard let track = registrations.people[person] else { return [] }
        return switch track.phase {
        case .waiting, .retrying, .waitingForDevice:
            call(.person(person), track.pending, presence: presence)
        case .registering, .bindingKey: [.decline(.underWay)]
        case .refused: [.decline(.notBeforeChange)]
        case .signingIn: [.signIn(person)]
        case .bindingLater: bindKey(person)
        case .registered: [.decline(.alreadyRegistered)]
        }
    }

    mutating func signedIn(_ person: String) -> [RegistrationEffect] {
        guard registrations.people[person]?.phase == .signingIn else { return [] }
        if registrations.plan?.usesKeyService == true { return bindKey(person) }
        registrations.people[person] = SubjectState(.registered)
        return [.complete(person)]
    }

    mutating func bindKey(_ person: String) -> [RegistrationEffect] {
        let number = nextAttempt()
        registrations.people[person]?.phase = .bindingKey(attempt: number)
        return [.bindKey(person, attempt: number)]
    }

    mutating func keyBound(
        _ person: String, _ number: UInt64, _ isBound: Bool, now: Timestamp
    ) -> [RegistrationEffect] {
        guard registrations.people[person]?.phase == .bindingKey(attempt: number) else { return [] }
        guard isBound else {
            let time = retryTime(now)
            registrations.people[person]?.phase = .bindingLater(at: time)
            return []
        }
        registrations.people[person] = SubjectState(.registered)
        return [.complete(person)]
    }

    mutating func repairPerson(_ person: String) -> [RegistrationEffect] {
        guard let phase = registrations.people[person]?.phase, phase.isRegistered else { return [] }
        return stop(person) + startPerson(person, pending: .registrationRepair)
    }
}
