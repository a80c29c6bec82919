// SPDX-License-Identifier: Apache-2.0
package import AgentClient

/// What is to be done. The new state is on the disk before any of it is begun.
package enum RegistrationEffect: Sendable, Hashable {
    /// Ask the extension.
    case begin(RegistrationSubject, RegistrationAttempt)
    /// The result of that call does not count any longer.
    case abandon(attempt: UInt64)
    /// Tell people that a registration waits for them.
    case prompt(RegistrationSubject)
    /// Ask the person to sign in.
    case signIn(String)
    /// Ask the key service for the person's unlock key.
    case bindKey(String, attempt: UInt64)
    /// `registrationDidComplete`
    case complete(String)
    /// `registrationDidCancel`
    case cancel
    /// Notify the extension of the removal of its configuration (`configurationRemoved`).
    case configurationRemoved
    /// Tell the provider that those keys leave it: others have taken their place.
    case leave(DeviceOwner)
    /// Destroy keys, configuration and tokens.
    case forget(RegistrationSubject)
    /// The registration that a person started is refused.
    case decline(Decline)

    package enum Decline: String, Sendable, Hashable {
        case notConfigured = "not_configured"
        case exempt
        case underWay = "under_way"
        case alreadyRegistered = "already_registered"
        case notBeforeChange = "not_before_change"
    }
}
