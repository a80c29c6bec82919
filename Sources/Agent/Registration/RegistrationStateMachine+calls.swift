// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

/// Calls of the extension: the same rules for devices and people.
extension RegistrationStateMachine {
    mutating func call(
        _ subject: RegistrationSubject, _ pending: ExtensionRequestOptions, presence: String?,
        hasUserInterface: Bool = false
    ) -> [RegistrationEffect] {
        var options = pending
        if hasUserInterface { options.insert(.userInteractionEnabled) }
        if registrations.plan?.sharesDeviceKeys == true {
            options.insert(.registrationSharedDeviceKeys)
        }
        let attempt = RegistrationAttempt(
            number: nextAttempt(), options: options, presence: presence)
        registrations.register(subject, attempt, pending: pending)
        return [.begin(subject, attempt)]
    }

    /// Ignores the result of a call that was abandoned.
    mutating func answer(
        _ subject: RegistrationSubject, _ number: UInt64, _ result: ExtensionRegistrationResult,
        now: Timestamp
    ) -> [RegistrationEffect] {
        guard let attempt = registrations.attempt(of: subject), attempt.number == number else {
            return []
        }
        switch result {
        case .success: return registered(subject, attempt)
        case .userInterfaceRequired where !attempt.hasUserInterface:
            guard attempt.presence == nil else {
                return call(
                    subject, registrations.pending(of: subject), presence: attempt.presence,
                    hasUserInterface: true)
            }
            registrations.wait(subject)
            return [.prompt(subject)]
        case .failed, .userInterfaceRequired: registrations.retry(subject, at: retryTime(now))
        case .failedNoRetry: registrations.refuse(subject)
        }
        return []
    }

    private mutating func registered(
        _ subject: RegistrationSubject, _ attempt: RegistrationAttempt
    ) -> [RegistrationEffect] {
        switch subject {
        case .device(let owner): return deviceRegistered(owner, attempt)
        case .person(let person):
            registrations.people[person] = SubjectState(.signingIn)
            return [.signIn(person)]
        }
    }

    /// Delays the next attempt after a person cancelled.
    mutating func cancel(_ person: String, now: Timestamp) -> [RegistrationEffect] {
        var effects: [RegistrationEffect] = []
        let time = retryTime(now)
        for (subject, attempt) in registrations.attended(by: person) {
            registrations.retry(subject, at: time)
            effects += [.abandon(attempt: attempt.number), .cancel]
        }
        return effects
    }

    /// Abandons the running call for a person.
    func stop(_ person: String) -> [RegistrationEffect] {
        registrations.attemptNumber(of: person).map { [.abandon(attempt: $0)] } ?? []
    }
}
