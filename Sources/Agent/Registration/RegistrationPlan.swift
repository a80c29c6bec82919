// SPDX-License-Identifier: Apache-2.0
package import AgentClient

/// What the installed configuration wants, as far as decisions depend on it.
package struct RegistrationPlan: Sendable, Hashable {
    /// Team and bundle identifier. Another extension is another provider: nothing is kept.
    package var extensionIdentifier: String
    /// `AuthenticationMethod` of the profile. People register again when it changes.
    package var method: String
    /// `UseSharedDeviceKeys`. When it changes, keys migrate.
    package var sharesDeviceKeys: Bool
    /// Whether the profile has a `RegistrationToken`, with which no person is needed.
    package var hasToken: Bool
    /// Whether people get an unlock key: protocol 2.0, with passwords or a page, on shared keys.
    package var usesKeyService: Bool
    /// `NonPlatformSSOAccounts`: local accounts that are never asked.
    package var exemptAccounts: Set<String>
    /// The accounts whose profiles configure it, if no profile for all accounts does; `nil` for all
    /// accounts.
    package var accounts: Set<String>?
    /// Those whose own profiles have a `RegistrationToken`.
    package var tokenAccounts: Set<String>
    /// A digest of the whole configuration and of the extension that serves it: what was refused
    /// is tried again when it changes.
    package var revision: String

    package init(
        extensionIdentifier: String, method: String, sharesDeviceKeys: Bool = true,
        hasToken: Bool = false, usesKeyService: Bool = false, exemptAccounts: Set<String> = [],
        accounts: Set<String>? = nil, tokenAccounts: Set<String> = [], revision: String
    ) {
        self.extensionIdentifier = extensionIdentifier
        self.method = method
        self.sharesDeviceKeys = sharesDeviceKeys
        self.hasToken = hasToken
        self.usesKeyService = usesKeyService
        self.exemptAccounts = exemptAccounts
        self.accounts = accounts
        self.tokenAccounts = tokenAccounts
        self.revision = revision
    }

    /// Whose keys that person uses.
    package func owner(of person: String) -> DeviceOwner {
        sharesDeviceKeys ? .everyone : .person(person)
    }

    /// Whether it is for that person.
    package func concerns(_ person: String) -> Bool {
        !exemptAccounts.contains(person) && accounts?.contains(person) != false
    }

    /// Whether such a device can be registered without a person.
    func hasToken(for owner: DeviceOwner) -> Bool {
        if case .person(let name) = owner, tokenAccounts.contains(name) { return true }
        return hasToken
    }
}
