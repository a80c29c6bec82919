// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

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
        /// A finger opens the lock screen instead of a password.
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
