// SPDX-License-Identifier: Apache-2.0
package import Primitives
import SingleSignOn

/// Decides how the agent registers devices and people (Apple "Registering devices and users").
///
/// A value: it turns an event and the time into effects, which the agent starts after it has saved
/// the new state. The rules:
///
/// - with a token a device registers silently; without one it waits for a person;
/// - the extension may show a prompt only after it reported that it must, and only to a person who
///   waits;
/// - `failed` is tried again after about ten minutes, `failedNoRetry` not before the configuration
///   or the extension changes;
/// - a device comes before its people, and under shared keys each further person only registers
///   themselves;
/// - a registered person signs in with the new configuration, gets an unlock key if there is a key
///   service, and then the registration is complete.
package struct RegistrationStateMachine: Sendable, Hashable {
    /// What the configuration wants; `nil` while nothing is configured.
    package internal(set) var plan: RegistrationPlan?
    package internal(set) var devices: [DeviceOwner: DeviceRegistrationState] = [:]
    /// All people who have had a session, with or without a configuration.
    package internal(set) var people: [String: PersonRegistrationState] = [:]
    /// Owners whose keys end when those that take their place are registered, and the provider knows.
    package internal(set) var outgoing: [DeviceOwner] = []
    /// When the provider is told of them again, which could not be told.
    package internal(set) var leavingAt: Timestamp?
    package internal(set) var lastAttempt: UInt64 = 0
    /// Added to each wait, so that machines that failed together do not come back together.
    package let spread: TimeSpan

    /// "In about 10 minutes."
    package static let retryDelay = TimeSpan.minutes(10)
    package static let greatestSpread = TimeSpan.minutes(1)

    package init(spread: TimeSpan = .seconds(0)) {
        self.spread = min(max(spread, .seconds(0)), Self.greatestSpread)
    }

    /// Takes an event in. The effects are in the order in which they are to be begun.
    package mutating func handle(
        _ event: RegistrationEvent, now: Timestamp
    ) -> [RegistrationEffect] {
        switch event {
        case .planned(let plan): adopt(plan, now: now)
        case .resumed: resume()
        case .arrived(let person): arrive(person)
        case .departed(let person): depart(person)
        case .begun(let subject, let person): begin(subject, by: person)
        case .answered(.device(let owner), let attempt, let result):
            answerDevice(owner, attempt, result, now: now)
        case .answered(.person(let person), let attempt, let result):
            answerPerson(person, attempt, result, now: now)
        case .cancelled(let person): cancel(person, now: now)
        case .signedIn(let person): signedIn(person)
        case .keyBound(let person, let attempt, let isBound):
            keyBound(person, attempt, isBound, now: now)
        case .needsRepair(.device(let owner)): repairDevice(owner)
        case .needsRepair(.person(let person)): repairPerson(person)
        case .unregistered(.device(let owner)): unregisterDevice(owner)
        case .unregistered(.person(let person)): unregisterPerson(person)
        case .left(let owner, let isTold): left(owner, isTold, now: now)
        case .woke: wake(now)
        }
    }

    /// When ``RegistrationEvent/woke`` is due.
    package var nextWake: Timestamp? {
        let devices = devices.values.compactMap { track -> Timestamp? in
            if case .retrying(let time) = track.phase { time } else { nil }
        }
        let people = people.values.compactMap { track -> Timestamp? in
            switch track.phase {
            case .retrying(let time), .bindingLater(let time): time
            default: nil
            }
        }
        return (devices + people + [leavingAt].compactMap(\.self)).min()
    }

    /// Whether the answer to that call would count.
    package func isCurrent(
        _ attempt: RegistrationAttempt, of subject: RegistrationSubject
    ) -> Bool {
        switch subject {
        case .device(let owner): devices[owner]?.phase == .registering(attempt)
        case .person(let person): people[person]?.phase == .registering(attempt)
        }
    }

    // MARK: Parts

    func retryTime(_ now: Timestamp) -> Timestamp {
        now + TimeSpan(milliseconds: Self.retryDelay.milliseconds + spread.milliseconds)
    }

    /// A wait that is longer than any wait can be was begun before the clock was set back.
    func isDue(_ time: Timestamp, _ now: Timestamp) -> Bool {
        time <= now || time > retryTime(now)
    }

    mutating func nextAttempt() -> UInt64 {
        lastAttempt += 1
        return lastAttempt
    }

    mutating func attempt(
        _ options: ExtensionRequestOptions, presence: String?
    ) -> RegistrationAttempt {
        var options = options
        if plan?.sharesDeviceKeys == true { options.insert(.registrationSharedDeviceKeys) }
        return RegistrationAttempt(number: nextAttempt(), options: options, presence: presence)
    }

    /// In a fixed order, so that one event has one list of effects.
    var orderedPeople: [String] { people.keys.sorted() }

    var orderedOwners: [DeviceOwner] {
        devices.keys.sorted { "\($0)" < "\($1)" }
    }
}
