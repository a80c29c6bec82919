// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import Primitives
package import SingleSignOn

/// Who is let in where, and with which proof, as the profile says it (Apple "com.apple.extensiblesso",
/// `FileVaultPolicy`, `LoginPolicy`, `UnlockPolicy` and their grace periods).
package struct AdmissionPolicy: Sendable, Equatable {
    package var rules: [AdmissionPoint: AdmissionRule]
    /// `OfflineGracePeriod`; nothing for none.
    package var offlineGrace: TimeSpan
    /// `AuthenticationGracePeriod`; nothing for none.
    package var authenticationGrace: TimeSpan
    /// `NonPlatformSSOAccounts`
    package var exemptAccounts: Set<String>
    /// Whether the provider verifies passwords.
    package var usesPasswords: Bool

    package init(
        rules: [AdmissionPoint: AdmissionRule] = [:], offlineGrace: TimeSpan = .seconds(0),
        authenticationGrace: TimeSpan = .seconds(0), exemptAccounts: Set<String> = [],
        usesPasswords: Bool = true
    ) {
        self.rules = rules
        self.offlineGrace = offlineGrace
        self.authenticationGrace = authenticationGrace
        self.exemptAccounts = exemptAccounts
        self.usesPasswords = usesPasswords
    }

    /// Policies are for passwords. Another method leaves little of them: with keys of people the finger
    /// that is asked for.
    package init(_ configuration: SSOConfiguration) {
        let settings = configuration.platformSSO
        let words: [(AdmissionPoint, [AuthenticationPolicy]?)] = [
            (.disk, settings?.fileVaultPolicy), (.login, settings?.loginPolicy),
            (.unlock, settings?.unlockPolicy),
        ]
        let method = configuration.authenticationMethod
        let usesPasswords = method == .password
        self.init(
            rules: Dictionary(
                uniqueKeysWithValues: words.compactMap { place, words in
                    guard let words, let method else { return nil }
                    let known = words.filter { $0.applies(to: method) }
                    guard usesPasswords || !known.isEmpty else { return nil }
                    return (place, AdmissionRule(known, at: place))
                }),
            offlineGrace: .seconds(settings?.offlineGracePeriod ?? 0),
            authenticationGrace: .seconds(settings?.authenticationGracePeriod ?? 0),
            exemptAccounts: Set(settings?.nonPlatformSSOAccounts ?? []),
            usesPasswords: usesPasswords)
    }

    package func rule(at place: AdmissionPoint) -> AdmissionRule {
        rules[place] ?? AdmissionRule([], at: place)
    }
}
