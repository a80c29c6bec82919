// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import Primitives
import SingleSignOn

/// The registrations of a device and of its people under a plan, each with its phase.
///
/// A value without rules: ``RegistrationStateMachine`` decides which phase comes next.
package struct Registrations: Sendable, Hashable {
    /// The part of the configuration on which registrations depend; `nil` without a configuration.
    package internal(set) var plan: RegistrationPlan?
    package internal(set) var devices: [DeviceOwner: SubjectState<DevicePhase>] = [:]
    /// All people who have had a session, with or without a configuration.
    package internal(set) var people: [String: SubjectState<PersonPhase>] = [:]
    /// Owners whose keys are deleted when the keys that replace them are registered and the provider
    /// was notified.
    package internal(set) var outgoing: [DeviceOwner] = []
    /// The time of the next attempt to notify the provider of `outgoing`, after a failed one.
    package internal(set) var leavingAt: Timestamp?

    // MARK: Order

    /// The people in a fixed order, so that one event has one list of effects.
    var orderedPeople: [String] { people.keys.sorted() }

    /// The owners in a fixed order.
    var orderedOwners: [DeviceOwner] { devices.keys.sorted { "\($0)" < "\($1)" } }

    /// The people who use the keys of that owner, in a fixed order.
    func people(of owner: DeviceOwner) -> [String] {
        orderedPeople.filter { plan?.owner(of: $0) == owner }
    }

    // MARK: Devices of people

    /// Returns whose device keys a person uses, also without a plan.
    func deviceOwner(for person: String) -> DeviceOwner { plan?.owner(of: person) ?? .everyone }

    /// Whether there is a plan, and the device is registered with the keys that the person uses.
    func isDeviceRegistered(for person: String) -> Bool {
        guard let plan else { return false }
        return devices[plan.owner(of: person)]?.phase == .registered
    }

    /// Whether keys that replace others are not all registered yet.
    var isMigrating: Bool {
        devices.values.contains { $0.pending.contains(.registrationDeviceKeyMigration) }
    }

    // MARK: Attempts

    /// The running call for that subject.
    func attempt(of subject: RegistrationSubject) -> RegistrationAttempt? {
        switch subject {
        case .device(let owner):
            if case .registering(let attempt)? = devices[owner]?.phase { return attempt }
        case .person(let person):
            if case .registering(let attempt)? = people[person]?.phase { return attempt }
        }
        return nil
    }

    /// Whether the call for that subject still runs, so that its result is accepted.
    package func isCurrent(
        _ attempt: RegistrationAttempt, of subject: RegistrationSubject
    ) -> Bool {
        self.attempt(of: subject) == attempt
    }

    /// The number of the running call for a person, also of one for an unlock key.
    func attemptNumber(of person: String) -> UInt64? {
        if case .bindingKey(let number)? = people[person]?.phase { return number }
        return attempt(of: .person(person))?.number
    }

    /// The numbers of all running calls.
    var runningAttempts: [UInt64] {
        orderedOwners.compactMap { attempt(of: .device($0))?.number }
            + orderedPeople.compactMap { attemptNumber(of: $0) }
    }

    /// The running calls that can prompt that person.
    func attended(
        by person: String
    ) -> [(subject: RegistrationSubject, attempt: RegistrationAttempt)] {
        let devices = orderedOwners.map(RegistrationSubject.device).compactMap { subject in
            attempt(of: subject).map { (subject: subject, attempt: $0) }
        }
        let own = attempt(of: .person(person)).map {
            (subject: RegistrationSubject.person(person), attempt: $0)
        }
        return devices.filter { $0.attempt.presence == person }
            + [own].compactMap(\.self).filter { $0.attempt.presence != nil }
    }

    /// The time at which ``RegistrationEvent/woke`` is due.
    package var nextWake: Timestamp? {
        let devices = devices.values.map(\.phase.retryTime)
        let people = people.values.map(\.phase.retryTime)
        return (devices + people + [leavingAt]).compactMap(\.self).min()
    }

    // MARK: Phases that devices and people have in common

    /// The options that the next call for that subject has in addition.
    func pending(of subject: RegistrationSubject) -> ExtensionRequestOptions {
        switch subject {
        case .device(let owner): devices[owner]?.pending ?? []
        case .person(let person): people[person]?.pending ?? []
        }
    }

    mutating func register(
        _ subject: RegistrationSubject, _ attempt: RegistrationAttempt,
        pending: ExtensionRequestOptions
    ) {
        switch subject {
        case .device(let owner):
            devices[owner] = SubjectState(.registering(attempt), pending: pending)
        case .person(let person):
            people[person] = SubjectState(.registering(attempt), pending: pending)
        }
    }

    mutating func wait(_ subject: RegistrationSubject) {
        setPhase(of: subject, device: .waiting, person: .waiting)
    }

    mutating func retry(_ subject: RegistrationSubject, at time: Timestamp) {
        setPhase(of: subject, device: .retrying(at: time), person: .retrying(at: time))
    }

    mutating func refuse(_ subject: RegistrationSubject) {
        setPhase(of: subject, device: .refused, person: .refused)
    }

    private mutating func setPhase(
        of subject: RegistrationSubject, device: DevicePhase, person: PersonPhase
    ) {
        switch subject {
        case .device(let owner): devices[owner]?.phase = device
        case .person(let name): people[name]?.phase = person
        }
    }
}
