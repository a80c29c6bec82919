// SPDX-License-Identifier: Apache-2.0
package import Primitives
import SingleSignOn

/// The rules by which the agent registers devices and people (Apple "Registering devices and users").
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
    package internal(set) var registrations = Registrations()
    package internal(set) var lastAttempt: UInt64 = 0
    /// Added to each wait, so that devices that failed together do not retry together.
    package let spread: TimeSpan

    /// "In about 10 minutes."
    package static let retryDelay = TimeSpan.minutes(10)
    package static let greatestSpread = TimeSpan.minutes(1)

    package init(spread: TimeSpan = .seconds(0)) {
        self.spread = min(max(spread, .seconds(0)), Self.greatestSpread)
    }

    /// Returns the effects of an event, in the order in which the agent starts them.
    package mutating func handle(
        _ event: RegistrationEvent, now: Timestamp
    ) -> [RegistrationEffect] {
        switch event {
        case .planned(let plan): adopt(plan, now: now)
        case .resumed: resume()
        case .arrived(let person): arrive(person)
        case .departed(let person): depart(person)
        case .begun(let subject, let person): begin(subject, by: person)
        case .answered(let subject, let attempt, let result):
            answer(subject, attempt, result, now: now)
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

    /// Starts what is due.
    mutating func wake(_ now: Timestamp) -> [RegistrationEffect] {
        var effects: [RegistrationEffect] = []
        for owner in registrations.orderedOwners {
            guard let track = registrations.devices[owner], case .retrying(let time) = track.phase,
                isDue(time, now)
            else { continue }
            effects += startDevice(owner, pending: track.pending)
        }
        for person in registrations.orderedPeople {
            guard let track = registrations.people[person] else { continue }
            switch track.phase {
            case .retrying(let time) where isDue(time, now):
                effects += startPerson(person, pending: track.pending)
            case .bindingLater(let time) where isDue(time, now): effects += bindKey(person)
            default: break
            }
        }
        if let time = registrations.leavingAt, isDue(time, now) { effects += leaveOutgoing() }
        return effects
    }

    /// Repeats interrupted calls. A call with a person waits for the person again.
    mutating func resume() -> [RegistrationEffect] {
        var effects: [RegistrationEffect] = []
        for owner in registrations.orderedOwners {
            guard let track = registrations.devices[owner], case .registering = track.phase else {
                continue
            }
            effects += startDevice(owner, pending: track.pending)
        }
        for person in registrations.orderedPeople {
            guard let track = registrations.people[person] else { continue }
            switch track.phase {
            case .registering: effects += startPerson(person, pending: track.pending)
            case .bindingKey: effects += bindKey(person)
            case .signingIn: effects.append(.signIn(person))
            default: break
            }
        }
        return effects + leaveOutgoing()
    }

    // MARK: Parts

    func retryTime(_ now: Timestamp) -> Timestamp {
        now + TimeSpan(milliseconds: Self.retryDelay.milliseconds + spread.milliseconds)
    }

    /// Whether a wait has expired. A wait longer than the longest one was started before the clock was
    /// set back.
    func isDue(_ time: Timestamp, _ now: Timestamp) -> Bool {
        time <= now || time > retryTime(now)
    }

    mutating func nextAttempt() -> UInt64 {
        lastAttempt += 1
        return lastAttempt
    }
}
