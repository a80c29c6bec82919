// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import SingleSignOn

/// Something that happened, of which the machine has to make something.
package enum RegistrationEvent: Sendable, Hashable {
    /// The configuration was read: at the start, after a change, or `nil` when there is none.
    case planned(RegistrationPlan?)
    /// The agent has started: whatever was under way was cut off.
    case resumed
    /// A person has come to the desktop or a terminal.
    case arrived(String)
    /// The account was deleted.
    case departed(String)
    /// A person starts a registration.
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
    /// A person unregistered the subject, and the provider knows.
    case unregistered(RegistrationSubject)
    /// The provider was told that keys which others took the place of have left it, or could not be.
    case left(DeviceOwner, Bool)
    /// It is time to look at the clock.
    case woke
}
