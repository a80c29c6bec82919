// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn

extension RegistrationStateMachine {
    /// Replaces the plan.
    mutating func adopt(_ plan: RegistrationPlan?, now: Timestamp) -> [RegistrationEffect] {
        guard let plan else { return remove() }
        guard let old = registrations.plan else { return start(plan) }
        if old.extensionIdentifier != plan.extensionIdentifier { return remove() + start(plan) }
        guard old != plan else { return [] }
        registrations.plan = plan
        var effects = exempt(plan)
        if old.sharesDeviceKeys != plan.sharesDeviceKeys {
            effects += migrate()
        } else {
            effects += repeatFailed { plan.hasToken(for: $0) && !old.hasToken(for: $0) }
        }
        if old.method != plan.method { effects += registerAgain() }
        if plan.usesKeyService && !old.usesKeyService { effects += bindAll() }
        return effects + invite(plan)
    }

    /// Starts under the first plan, or the plan of another extension.
    private mutating func start(_ plan: RegistrationPlan) -> [RegistrationEffect] {
        registrations.plan = plan
        let effects = exempt(plan)
        if plan.sharesDeviceKeys { return effects + startDevice(.everyone) }
        return effects + registrations.orderedPeople.flatMap { startDevice(.person($0)) }
            + invite(plan)
    }

    /// Adds the accounts that a profile names, also before their first session.
    private mutating func invite(_ plan: RegistrationPlan) -> [RegistrationEffect] {
        (plan.accounts ?? []).sorted().filter { registrations.people[$0] == nil }.flatMap {
            arrive($0)
        }
    }

    /// Ends all registrations with their configuration.
    private mutating func remove() -> [RegistrationEffect] {
        guard registrations.plan != nil else { return [] }
        let running = registrations.runningAttempts.map(RegistrationEffect.abandon)
        var effects = running + (running.isEmpty ? [] : [.cancel])
        effects.append(.configurationRemoved)
        for person in registrations.orderedPeople {
            effects.append(.forget(.person(person)))
            registrations.people[person] = SubjectState(.waitingForDevice)
        }
        for owner in registrations.orderedOwners + registrations.outgoing {
            effects.append(.forget(.device(owner)))
        }
        (registrations.plan, registrations.devices) = (nil, [:])
        (registrations.outgoing, registrations.leavingAt) = ([], nil)
        return effects
    }

    /// Removes the accounts that the plan does not concern.
    private mutating func exempt(_ plan: RegistrationPlan) -> [RegistrationEffect] {
        registrations.orderedPeople.filter { !plan.concerns($0) }.flatMap { depart($0) }
    }

    /// Replaces keys of each person by shared keys, or the reverse. The old keys remain until the new
    /// keys are registered and the provider was notified.
    private mutating func migrate() -> [RegistrationEffect] {
        guard let plan = registrations.plan else { return [] }
        var effects = registrations.runningAttempts.map(RegistrationEffect.abandon)
        registrations.outgoing += registrations.orderedOwners
        registrations.devices = [:]
        for person in registrations.orderedPeople {
            registrations.people[person] = SubjectState(
                .waitingForDevice, pending: .registrationDeviceKeyMigration)
        }
        let owners =
            plan.sharesDeviceKeys
            ? [.everyone] : registrations.orderedPeople.map(DeviceOwner.person)
        registrations.outgoing.removeAll { owners.contains($0) }
        for owner in owners {
            effects += startDevice(owner, pending: .registrationDeviceKeyMigration)
        }
        return effects + leaveOutgoing()
    }

    /// Repeats failed calls after a change of the configuration or the extension.
    private mutating func repeatFailed(
        gotToken: (DeviceOwner) -> Bool
    ) -> [RegistrationEffect] {
        var effects: [RegistrationEffect] = []
        for owner in registrations.orderedOwners {
            guard let track = registrations.devices[owner] else { continue }
            switch track.phase {
            case .refused, .retrying: effects += startDevice(owner, pending: track.pending)
            case .waiting where gotToken(owner):
                effects += startDevice(owner, pending: track.pending)
            default: break
            }
        }
        for person in registrations.orderedPeople {
            guard let track = registrations.people[person] else { continue }
            switch track.phase {
            case .refused, .retrying: effects += startPerson(person, pending: track.pending)
            default: break
            }
        }
        return effects
    }

    /// Registers people again after the authentication method has changed.
    private mutating func registerAgain() -> [RegistrationEffect] {
        registrations.orderedPeople.flatMap { person -> [RegistrationEffect] in
            guard let track = registrations.people[person] else { return [] }
            switch track.phase {
            case .registering, .signingIn, .bindingKey, .bindingLater, .registered:
                return stop(person) + startPerson(person, pending: track.pending)
            case .waitingForDevice, .waiting, .retrying, .refused: return []
            }
        }
    }

    /// Requests unlock keys for registered people from a new key service.
    private mutating func bindAll() -> [RegistrationEffect] {
        registrations.orderedPeople.filter { registrations.people[$0]?.phase == .registered }
            .flatMap { bindKey($0) }
    }
}
