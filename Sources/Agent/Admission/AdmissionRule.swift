// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import SingleSignOn

/// What the profile asks for at one place.
package struct AdmissionRule: Sendable, Hashable {
    package enum Presence: String, Sendable, Hashable, CaseIterable {
        case unheeded
        /// A finger opens the lock screen instead of a password.
        case suffices
        /// `RequireTouchID…`: a finger besides everything else.
        case required
    }

    package var demand: AdmissionDemand
    /// `AllowOfflineGracePeriod`
    package var allowsOffline: Bool
    /// `AllowAuthenticationGracePeriod`
    package var allowsUnregistered: Bool
    package var presence: Presence

    package init(
        _ demand: AdmissionDemand = .local, allowsOffline: Bool = false,
        allowsUnregistered: Bool = false,
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
