// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// Something that a person is told by mail.
package struct AccountNotification: Sendable {
    package enum Kind: Sendable, Equatable {
        case passkeyAdded(label: String)
        case passkeyRemoved(label: String)
        /// The key that a machine holds for its owner.
        case machineRemoved(label: String)
        case passwordChanged
        case passwordRemoved
        case recoveryCodesMade
        case recoveryCodeUsed
        /// Reported by its owner.
        case keyLost(label: String)
        /// An administrator lets the person register a key again.
        case reRegistrationOpened
        /// The link itself: an administrator invites the person.
        case invitation(url: String, until: Timestamp)
        case keyReRegistered(label: String)
        /// Another provider vouches for them from now on, or no longer does.
        case providerLinked(label: String)
        case providerUnlinked(label: String)
        case accountRecovered
        /// Another administrator is to approve what came to their account, and has.
        case approvalAwaited
        case approvalGiven
        case emailChanged
        /// The code itself: to confirm an address.
        case verificationCode(String)
        /// The code itself: to get back in.
        case recoveryCode(String)
    }

    package var kind: Kind
    package var person: Person
    package var tenant: Tenant
    /// The reader's languages, best first.
    package var languages: [String]

    package init(kind: Kind, person: Person, tenant: Tenant, languages: [String]) {
        self.kind = kind
        self.person = person
        self.tenant = tenant
        self.languages = languages
    }
}

/// Puts notices into words. Pages hold the words, so this is theirs.
package protocol NotificationComposer: Sendable {
    /// Subject and plain text.
    func write(_ notice: AccountNotification) -> (subject: String, text: String)
}
