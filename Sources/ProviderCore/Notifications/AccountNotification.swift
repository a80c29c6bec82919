// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// A notification to a person by email.
package struct AccountNotification: Sendable {
    package enum Kind: Sendable, Equatable {
        case passkeyAdded(label: String)
        case passkeyRemoved(label: String)
        /// The person was removed from a device that has keys for them.
        case machineRemoved(label: String)
        case passwordChanged
        case passwordRemoved
        case recoveryCodesMade
        case recoveryCodeUsed
        /// The owner has reported the key as lost.
        case keyLost(label: String)
        /// An administrator has created a recovery link for the person.
        case reRegistrationOpened
        /// The invitation link of an administrator.
        case invitation(url: String, until: Timestamp)
        case keyReRegistered(label: String)
        /// A federated identity was linked or unlinked.
        case providerLinked(label: String)
        case providerUnlinked(label: String)
        case accountRecovered
        /// A new credential of an administrator needs or has the approval of another administrator.
        case approvalAwaited
        case approvalGiven
        case emailChanged
        /// The code that verifies an email address.
        case verificationCode(String)
        /// The code that recovers the account.
        case recoveryCode(String)
    }

    package var kind: Kind
    package var person: Person
    package var tenant: Tenant
    /// The preferred languages, best first.
    package var languages: [String]

    package init(kind: Kind, person: Person, tenant: Tenant, languages: [String]) {
        self.kind = kind
        self.person = person
        self.tenant = tenant
        self.languages = languages
    }
}

/// Writes the text of notifications. The pages implement it, because they have the translations.
package protocol NotificationComposer: Sendable {
    /// Returns the subject and the plain text.
    func write(_ notice: AccountNotification) -> (subject: String, text: String)
}
