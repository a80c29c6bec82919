// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

extension RegistrationStateMachine {
    /// Makes a configuration the one that holds.
    mutating func adopt(_ plan: RegistrationPlan?, now: Timestamp) -> [RegistrationEffect] {
        guard let plan else { return remove() }
        guard let old = self.plan else { return start(plan) }
        if old.extensionIdentifier != plan.extensionIdentifier { return remove() + start(plan) }
        guard old != plan else { return [] }
        self.plan = plan
        var effects = exempt(plan)
        if old.sharesDeviceKeys != plan.sharesDeviceKeys {
            effects += migrate()
        } else {
            effects += tryAgain { plan.hasToken(for: $0) && !old.hasToken(for: $0) }
        }
        if old.method != plan.method { effects += registerAnew() }
        if plan.usesKeyService && !old.usesKeyService { effects += bindAll() }
        return effects + invite(plan)
    }

    /// What to do about the first configuration, or that of another extension.
    private mutating func start(_ plan: RegistrationPlan) -> [RegistrationEffect] {
        self.plan = plan
        let effects = exempt(plan)
        if plan.sharesDeviceKeys { return effects + startDevice(.everyone) }
        return effects + orderedPeople.flatMap { startDevice(.person($0)) } + invite(plan)
    }

    /// Adds the accounts that a profile names, also before their first session.
    private mutating func invite(_ plan: RegistrationPlan) -> [RegistrationEffect] {
        (plan.accounts ?? []).sorted().filter { people[$0] == nil }.flatMap { arrive($0) }
    }

    /// Nothing of a registration outlives its configuration.
    private mutating func remove() -> [RegistrationEffect] {
        guard plan != nil else { return [] }
        let running = attempts.map(RegistrationEffect.abandon)
        var effects = running + (running.isEmpty ? [] : [.cancel])
        effects.append(.configurationRemoved)
        for person in orderedPeople {
            effects.append(.forget(.person(person)))
            people[person] = PersonRegistrationState(.waitingForDevice)
        }
        for owner in orderedOwners + outgoing { effects.append(.forget(.device(owner))) }
        (plan, devices, outgoing, leavingAt) = (nil, [:], [], nil)
        return effects
    }

    /// The numbers of all calls that are not answered.
    private var attempts: [UInt64] {
        let devices = orderedOwners.compactMap { owner -> UInt64? in
            if case .registering(let attempt)? = self.devices[owner]?.phase {
                attempt.number
            } else {
                nil
            }
        }
        return devices + orderedPeople.compactMap { attemptNumber(of: $0) }
    }

    func attemptNumber(of person: String) -> UInt64? {
        switch people[person]?.phase {
        case .registering(let attempt): attempt.number
        case .bindingKey(let attempt): attempt
        default: nil
        }
    }

    /// Accounts that the configuration leaves alone now.
    private mutating func exempt(_ plan: RegistrationPlan) -> [RegistrationEffect] {
        orderedPeople.filter { !plan.concerns($0) }.flatMap { depart($0) }
    }

    /// From keys for each person to shared ones, or back: the old ones live until the new ones are
    /// registered, and the provider knows that they have left.
    private mutating func migrate() -> [RegistrationEffect] {
        guard let plan else { return [] }
        var effects = attempts.map(RegistrationEffect.abandon)
        outgoing += orderedOwners
        devices = [:]
        for person in orderedPeople {
            people[person] = PersonRegistrationState(
                .waitingForDevice, pending: .registrationDeviceKeyMigration)
        }
        let owners = plan.sharesDeviceKeys ? [.everyone] : orderedPeople.map(DeviceOwner.person)
        outgoing.removeAll { owners.contains($0) }
        for owner in owners {
            effects += startDevice(owner, pending: .registrationDeviceKeyMigration)
        }
        return effects + leaveOutgoing()
    }

    /// The configuration or the extension has changed, so what failed may succeed.
    private mutating func tryAgain(
        gotToken: (DeviceOwner) -> Bool
    ) -> [RegistrationEffect] {
        var effects: [RegistrationEffect] = []
        for owner in orderedOwners {
            guard let track = devices[owner] else { continue }
            switch track.phase {
            case .refused, .retrying: effects += startDevice(owner, pending: track.pending)
            case .waiting where gotToken(owner):
                effects += startDevice(owner, pending: track.pending)
            default: break
            }
        }
        for person in orderedPeople {
            guard let track = people[person] else { continue }
            switch track.phase {
            case .refused, .retrying: effects += startPerson(person, pending: track.pending)
            default: break
            }
        }
        return effects
    }

    /// People prove who they are in another way now.
    private mutating func registerAnew() -> [RegistrationEffect] {
        orderedPeople.flatMap { person -> [RegistrationEffect] in
            guard let track = people[person] else { return [] }
            switch track.phase {
            case .registering, .signingIn, .bindingKey, .bindingLater, .registered:
                let stop = attemptNumber(of: person).map {
                    [RegistrationEffect.abandon(attempt: $0)]
                }
                return (stop ?? []) + startPerson(person, pending: track.pending)
            case .waitingForDevice, .waiting, .retrying, .refused: return []
            }
        }
    }

    /// There is a key service now.
    private mutating func bindAll() -> [RegistrationEffect] {
        orderedPeople.filter { people[$0]?.phase == .registered }.flatMap { bindKey($0) }
    }
}
