// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import SingleSignOn

/// Where somebody wants in: each has a policy of its own in the profile.
package enum AdmissionPoint: String, Sendable, CaseIterable {
    /// `FileVaultPolicy`: before the disk is open.
    case disk
    /// `LoginPolicy`
    case login
    /// `UnlockPolicy`: the lock screen.
    case unlock
}

/// What the profile asks for at one place.
package struct AdmissionRule: Sendable, Hashable {
    package enum Demand: String, Sendable, Hashable, CaseIterable {
        /// No policy: the local password first, the provider where it differs.
        case local
        /// `AttemptAuthentication`: the provider first, the local password while it is away.
        case attempt
        /// `RequireAuthentication`: the provider, and nothing else but what is allowed besides.
        case require
    }

    package enum Presence: String, Sendable, Hashable, CaseIterable {
        case unheeded
        /// A finger opens the lock screen in the place of a password.
        case suffices
        /// `RequireTouchID…`: a finger besides everything else.
        case required
    }

    package var demand: Demand
    /// `AllowOfflineGracePeriod`
    package var allowsOffline: Bool
    /// `AllowAuthenticationGracePeriod`
    package var allowsUnregistered: Bool
    package var presence: Presence

    package init(
        _ demand: Demand = .local, allowsOffline: Bool = false, allowsUnregistered: Bool = false,
        presence: Presence = .unheeded
    ) {
        self.demand = demand
        self.allowsOffline = allowsOffline
        self.allowsUnregistered = allowsUnregistered
        self.presence = presence
    }

    /// Of two words that contradict one another the stricter counts.
    package init(_ words: [AuthenticationPolicy], at place: AdmissionPoint) {
        demand =
            words.contains(.requireAuthentication)
            ? .require : words.contains(.attemptAuthentication) ? .attempt : .local
        allowsOffline = words.contains(.allowOfflineGracePeriod)
        allowsUnregistered = words.contains(.allowAuthenticationGracePeriod)
        presence =
            words.contains(.requireTouchID) || words.contains(.requireTouchIDOrWatch)
            ? .required
            : place == .unlock
                && (demand != .require || words.contains(.allowTouchIDOrWatchForUnlock))
                ? .suffices : .unheeded
    }
}

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
    /// Whether the provider judges passwords at all.
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

/// The policy that holds, and since when: with its words the time for accounts that are not registered
/// begins anew.
package struct EffectiveAdmissionPolicy: Sendable, Equatable {
    package var policy: AdmissionPolicy
    package var since: Timestamp

    package init(_ policy: AdmissionPolicy, since: Timestamp) {
        self.policy = policy
        self.since = since
    }

    /// - Returns: what holds once the profile says `policy`. Other keys of it extend nobody's time.
    package static func adopting(
        _ policy: AdmissionPolicy, after old: EffectiveAdmissionPolicy?, now: Timestamp
    ) -> EffectiveAdmissionPolicy {
        let isSame = old?.policy.rules == policy.rules
        return EffectiveAdmissionPolicy(policy, since: isSame ? old?.since ?? now : now)
    }
}
