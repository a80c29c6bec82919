// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// What is registered: a device, or a person on it.
package enum RegistrationSubject: Sendable, Hashable {
    case device(DeviceOwner)
    case person(String)
}

/// Something that happened, of which the machine has to make something.
package enum RegistrationEvent: Sendable, Hashable {
    /// The configuration was read: at the start, after a change, or `nil` when there is none.
    case planned(RegistrationPlan?)
    /// The agent has started: whatever was under way was cut off.
    case resumed
    /// A person has come to the desktop or a terminal.
    case arrived(String)
    /// The account is gone.
    case departed(String)
    /// Somebody begins by hand.
    case begun(RegistrationSubject, by: String)
    case answered(RegistrationSubject, attempt: UInt64, ExtensionRegistrationResult)
    /// A person gave up a registration that asked them something.
    case cancelled(String)
    /// The person signed in.
    case signedIn(String)
    /// The key service answered, or did not.
    case keyBound(String, attempt: UInt64, Bool)
    /// The extension or the provider says that the registration is no good any more.
    case needsRepair(RegistrationSubject)
    /// Somebody took the registration back, and the provider knows.
    case unregistered(RegistrationSubject)
    /// It is time to look at the clock.
    case woke
}

/// What is to be done. The new state is on the disk before any of it is begun.
package enum RegistrationEffect: Sendable, Hashable {
    /// Ask the extension.
    case begin(RegistrationSubject, RegistrationAttempt)
    /// Nobody waits for that answer any more.
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
    /// The extension is told that its configuration is gone (`configurationRemoved`).
    case configurationRemoved
    /// Destroy keys, configuration and tokens.
    case forget(RegistrationSubject)
    /// Others have taken the place of those keys: the provider is told, then they are destroyed.
    case retire(DeviceOwner)
    /// What somebody began by hand cannot be.
    case decline(Decline)

    package enum Decline: String, Sendable, Hashable {
        case notConfigured = "not_configured"
        case exempt
        case underWay = "under_way"
        case alreadyRegistered = "already_registered"
        case notBeforeChange = "not_before_change"
    }
}
