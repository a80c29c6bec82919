// SPDX-License-Identifier: Apache-2.0
import Primitives
package import SingleSignOn

/// The installed configurations of Platform SSO: for the device, and for single accounts.
///
/// A profile for one account has lower priority than the profiles for all accounts, as in Apple's
/// user channel: it adds its `RegistrationToken` and further `ExtensionData`. It configures
/// Platform SSO itself only if no profile for all accounts does, for its account and with separate
/// keys. A device has one provider: the profiles of the accounts name one extension and one method.
package struct ConfigurationChoice: Sendable, Equatable {
    /// The configuration for all accounts.
    package private(set) var machine: SSOConfiguration?
    /// For those whose own profiles add something.
    package private(set) var accounts: [String: SSOConfiguration] = [:]
    package private(set) var problems: [InstalledProfiles.Problem] = []
    /// Accounts whose own profiles cannot be read or followed, and never could: nothing is begun for
    /// them with less than they ask for, and nothing of theirs is forgotten.
    private var withheld: Set<String> = []
    /// Whether the configuration for all accounts cannot be followed or read: the one before stays
    /// in force.
    package private(set) var isUndecided = false

    package init() {}

    /// - Parameters:
    ///   - former: What held before, for accounts whose profiles cannot be read now.
    ///   - problem: Why a configuration cannot be followed on this machine; `nil` when it can be.
    package init(
        _ installed: InstalledProfiles, former: ConfigurationChoice,
        problem: (SSOConfiguration) -> String?
    ) {
        machine = installed.effective.platformSSO
        if let machine, let reason = problem(machine) {
            report(machine.extensionIdentifier ?? "extension", reason)
            isUndecided = true
            return
        }
        isUndecided = machine == nil && installed.isHalfRead
        let names = Set(installed.accounts.keys).union(installed.halfReadAccounts)
        for account in names.sorted() {
            guard !installed.halfReadAccounts.contains(account) else {
                carryOver(former, of: account)
                continue
            }
            guard let own = installed.effective(for: account).platformSSO, own != machine else {
                continue
            }
            let isOther = leading.map { !own.isLike($0) } ?? false
            let other = isOther ? "another extension or method than on this device" : nil
            if let reason = other ?? problem(own) {
                report("users/" + account, reason)
                carryOver(former, of: account)
            } else {
                accounts[account] = own
            }
        }
    }

    /// What held before, as far as it still fits the machine.
    private mutating func carryOver(_ former: ConfigurationChoice, of account: String) {
        if let own = former.accounts[account], leading.map({ own.isLike($0) }) ?? true {
            accounts[account] = own
        } else {
            withheld.insert(account)
        }
    }

    private mutating func report(_ file: String, _ reason: String) {
        problems.append(.init(file: file, reason: reason))
    }

    /// The configuration that names the extension and the method.
    package var leading: SSOConfiguration? {
        machine ?? accounts.min { $0.key < $1.key }?.value
    }

    /// What holds for an account; `nil` when nothing does.
    package func configuration(for account: String) -> SSOConfiguration? {
        withheld.contains(account) ? nil : accounts[account] ?? machine
    }

    /// What the machine of registrations goes by; `nil` when nothing is configured.
    ///
    /// - Parameter before: What it went by until now.
    func plan(
        revision: String, serving: InstalledExtension, before: RegistrationPlan?
    ) -> RegistrationPlan? {
        guard let leading else { return nil }
        let named = Set(accounts.keys).union(withheld.intersection(before?.accounts ?? []))
        let tokens = accounts.filter { $0.value.registrationToken?.isEmpty == false }
        return RegistrationPlan(
            leading, revision: revision, extensionRevision: serving.revision,
            hasKeyService: serving.hasKeyService,
            accounts: machine == nil ? named : nil, tokenAccounts: Set(tokens.keys))
    }
}

extension SSOConfiguration {
    fileprivate func isLike(_ other: SSOConfiguration) -> Bool {
        extensionIdentifier == other.extensionIdentifier && teamIdentifier == other.teamIdentifier
            && authenticationMethod == other.authenticationMethod
    }
}
