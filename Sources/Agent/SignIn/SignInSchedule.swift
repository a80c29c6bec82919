// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Decides when a person's tokens are renewed, and when the person has to sign in: a value, asked
/// with the time.
package struct SignInSchedule: Sendable, Equatable {
    package enum Step: Sendable, Hashable {
        /// Nothing before that time.
        case wait(until: Timestamp)
        /// A refresh request.
        case refresh
        /// A full login with the person's key, without the person.
        case signInWithKey
        /// A full login, for which the person is needed.
        case askPerson(Reason)
    }

    package enum Reason: String, Sendable, Hashable {
        case neverSignedIn = "never_signed_in"
        case tokenEnded = "token_ended"
        case loginFrequency = "login_frequency"
    }

    /// What the person has in hand while the provider cannot be reached.
    package enum SignInState: Sendable, Hashable {
        case signedIn
        /// Offline, and good until then.
        case grace(until: Timestamp)
        case signedOut
    }

    package var policy: SignInPolicy
    package var session: SignInSession?
    /// When renewal failed for no fault of the person.
    package var failedAt: Timestamp?

    /// Between two tries while the provider is away.
    package static let retryDelay = TimeSpan.minutes(10)
    /// How far ahead of us times may lie before the clock must have been set back.
    static let leeway = TimeSpan.minutes(5)

    /// What is to be done now.
    package func step(now: Timestamp) -> Step {
        guard let session else { return .askPerson(.neverSignedIn) }
        if let failedAt, now >= failedAt, now < failedAt + Self.retryDelay {
            return .wait(until: failedAt + Self.retryDelay)
        }
        if session.expiresAt <= now {
            return policy.usesKey ? .signInWithKey : .askPerson(.tokenEnded)
        }
        if isOver(session.fullLoginAt, policy.loginFrequency, now) {
            return policy.usesKey ? .signInWithKey : .askPerson(.loginFrequency)
        }
        if isOver(session.refreshedAt, SignInPolicy.renewal, now) {
            return policy.usesKey ? .signInWithKey : .refresh
        }
        return .wait(
            until: min(
                session.refreshedAt + SignInPolicy.renewal,
                min(session.expiresAt, session.fullLoginAt + policy.loginFrequency)))
    }

    /// Whether a period has expired. The age of a time in the future is unknown, because the clock
    /// was set back.
    private func isOver(_ time: Timestamp, _ span: TimeSpan, _ now: Timestamp) -> Bool {
        now >= time + span || time > now + Self.leeway
    }

    /// Returns whether the person counts as signed in.
    ///
    /// - Parameter latest: The latest time that was ever recorded, so that a clock that is set back
    ///   extends no grace period.
    package func standing(now: Timestamp, latest: Timestamp) -> SignInState {
        guard let session else { return .signedOut }
        let now = max(now, latest)
        let lapses = min(session.expiresAt, session.fullLoginAt + policy.loginFrequency)
        if failedAt == nil, now < lapses { return .signedIn }
        guard let grace = policy.offlineGrace else {
            return now < lapses ? .signedIn : .signedOut
        }
        let end = session.refreshedAt + grace
        return now < end ? .grace(until: end) : now < lapses ? .signedIn : .signedOut
    }
}
