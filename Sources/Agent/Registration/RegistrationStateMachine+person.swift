// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

extension RegistrationStateMachine {
    mutating func arrive(_ person: String) -> [RegistrationEffect] {
        guard plan?.concerns(person) != false else { return [] }
        guard let track = people[person] else { return meet(person) }
        return switch track.phase {
        case .waiting: [.prompt(.person(person))]
        case .signingIn: [.signIn(person)]
        case .waitingForDevice: promptForDevice(of: person)
        default: []
        }
    }

    private mutating func meet(_ person: String) -> [RegistrationEffect] {
        people[person] = PersonRegistrationState(.waitingForDevice)
        guard let plan else { return [] }
        let owner = plan.owner(of: person)
        guard let device = devices[owner] else { return startDevice(owner) }
        return device.phase == .registered ? startPerson(person) : promptForDevice(of: person)
    }

    private func promptForDevice(of person: String) -> [RegistrationEffect] {
        guard let owner = plan?.owner(of: person), devices[owner]?.phase == .waiting else {
            return []
        }
        return [.prompt(.device(owner))]
    }

    mutating func depart(_ person: String) -> [RegistrationEffect] {
        guard people[person] != nil else { return [] }
        var effects: [RegistrationEffect] = []
        if let number = attemptNumber(of: person) { effects.append(.abandon(attempt: number)) }
        effects.append(.forget(.person(person)))
        people[person] = nil
        let own = DeviceOwner.person(person)
        if let track = devices.removeValue(forKey: own) {
            if case .registering(let attempt) = track.phase {
                effects.append(.abandon(attempt: attempt.number))
            }
            effects.append(.forget(.device(own)))
        }
        return effects + leaveOutgoing()
    }

    /// Tells the person; or asks the extension silently where it knows the person already. Not
    /// before the device is registered, which comes back here.
    mutating func startPerson(
        _ person: String, pending: ExtensionRequestOptions = []
    ) -> [RegistrationEffect] {
        guard let owner = plan?.owner(of: person), devices[owner]?.phase == .registered else {
            people[person] = PersonRegistrationState(.waitingForDevice, pending: pending)
            return []
        }
        guard pending.isEmpty else { return callPerson(person, pending, presence: nil) }
        people[person] = PersonRegistrationState(.waiting)
        return [.prompt(.person(person))]
    }

    mutating func callPerson(
        _ person: String, _ pending: ExtensionRequestOptions, presence: String?,
        hasUserInterface: Bool = false
    ) -> [RegistrationEffect] {
        let options = hasUserInterface ? pending.union(.userInteractionEnabled) : pending
        let attempt = attempt(options, presence: presence)
        people[person] = PersonRegistrationState(.registering(attempt), pending: pending)
        return [.begin(.person(person), attempt)]
    }

    mutating func begin(
        _ subject: RegistrationSubject, by presence: String
    ) -> [RegistrationEffect] {
        guard let plan else { return [.decline(.notConfigured)] }
        switch subject {
        case .device(let owner): return beginDevice(owner, by: presence)
        case .person(let person):
            guard !plan.exemptAccounts.contains(person) else { return [.decline(.exempt)] }
            guard plan.concerns(person) else { return [.decline(.notConfigured)] }
            let owner = plan.owner(of: person)
            if people[person] == nil { people[person] = PersonRegistrationState(.waitingForDevice) }
            if devices[owner] == nil {
                retainKeys(of: owner)
                devices[owner] = DeviceRegistrationState(.waiting)
            }
            // A person who starts here continues with their registration once the device is
            // registered.
            return devices[owner]?.phase == .registered
                ? beginPerson(person, by: presence) : beginDevice(owner, by: person)
        }
    }

    private mutating func beginPerson(
        _ person: String, by presence: String
    ) -> [RegistrationEffect] {
        guard let track = people[person] else { return [] }
        return switch track.phase {
        case .waiting, .retrying, .waitingForDevice:
            callPerson(person, track.pending, presence: presence)
        case .registering, .bindingKey: [.decline(.underWay)]
        case .refused: [.decline(.notBeforeChange)]
        case .signingIn: [.signIn(person)]
        case .bindingLater: bindKey(person)
        case .registered: [.decline(.alreadyRegistered)]
        }
    }

    mutating func answerPerson(
        _ person: String, _ number: UInt64, _ result: ExtensionRegistrationResult, now: Timestamp
    ) -> [RegistrationEffect] {
        guard let track = people[person], case .registering(let attempt) = track.phase,
            attempt.number == number
        else { return [] }
        switch result {
        case .success:
            people[person] = PersonRegistrationState(.signingIn)
            return [.signIn(person)]
        case .userInterfaceRequired where !attempt.hasUserInterface:
            guard attempt.presence == nil else {
                return callPerson(
                    person, track.pending, presence: attempt.presence, hasUserInterface: true)
            }
            people[person]?.phase = .waiting
            return [.prompt(.person(person))]
        case .failed, .userInterfaceRequired:
            let time = retryTime(now)
            people[person]?.phase = .retrying(at: time)
            return []
        case .failedNoRetry:
            people[person]?.phase = .refused
            return []
        }
    }

    /// What that person sits before while it registers.
    func attended(
        by person: String
    ) -> [(subject: RegistrationSubject, attempt: RegistrationAttempt)] {
        var attended: [(RegistrationSubject, RegistrationAttempt)] = []
        for owner in orderedOwners {
            guard case .registering(let attempt)? = devices[owner]?.phase,
                attempt.presence == person
            else { continue }
            attended.append((.device(owner), attempt))
        }
        if case .registering(let attempt)? = people[person]?.phase, attempt.presence != nil {
            attended.append((.person(person), attempt))
        }
        return attended
    }

    /// Delays the next try after a person gave up.
    mutating func cancel(_ person: String, now: Timestamp) -> [RegistrationEffect] {
        var effects: [RegistrationEffect] = []
        let time = retryTime(now)
        for (subject, attempt) in attended(by: person) {
            switch subject {
            case .device(let owner): devices[owner]?.phase = .retrying(at: time)
            case .person(let name): people[name]?.phase = .retrying(at: time)
            }
            effects += [.abandon(attempt: attempt.number), .cancel]
        }
        return effects
    }

    mutating func signedIn(_ person: String) -> [RegistrationEffect] {
        guard people[person]?.phase == .signingIn else { return [] }
        if plan?.usesKeyService == true { return bindKey(person) }
        people[person] = PersonRegistrationState(.registered)
        return [.complete(person)]
    }

    mutating func bindKey(_ person: String) -> [RegistrationEffect] {
        let number = nextAttempt()
        people[person]?.phase = .bindingKey(attempt: number)
        return [.bindKey(person, attempt: number)]
    }

    mutating func keyBound(
        _ person: String, _ number: UInt64, _ isBound: Bool, now: Timestamp
    ) -> [RegistrationEffect] {
        guard people[person]?.phase == .bindingKey(attempt: number) else { return [] }
        guard isBound else {
            let time = retryTime(now)
            people[person]?.phase = .bindingLater(at: time)
            return []
        }
        people[person] = PersonRegistrationState(.registered)
        return [.complete(person)]
    }

    mutating func repairPerson(_ person: String) -> [RegistrationEffect] {
        guard let phase = people[person]?.phase, phase.isRegistered else { return [] }
        let stop = attemptNumber(of: person).map { [RegistrationEffect.abandon(attempt: $0)] } ?? []
        return stop + startPerson(person, pending: .registrationRepair)
    }
}
