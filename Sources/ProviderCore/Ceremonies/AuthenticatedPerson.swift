// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// A person who is authenticated by a cookie or a token, with the time of their last factor.
package struct AuthenticatedPerson: Sendable {
    package let person: Person
    package let shownAt: Timestamp
    /// The session of the browser; `nil` for an access token of an app.
    package let session: Session?

    package init(person: Person, shownAt: Timestamp, session: Session?) {
        self.person = person
        self.shownAt = shownAt
        self.session = session
    }

    /// Whether the last factor is at most five minutes old, as sensitive changes require.
    package func isFresh(at now: Timestamp) -> Bool {
        now - shownAt <= AuthenticatedSession.freshness
    }
}

extension AuthenticatedSession {
    /// The person with the time of the newest factor that was verified here with user presence. An
    /// upstream provider may have authenticated the person long before, and an app may start a
    /// session without the person. If there are only such factors, the person is not fresh.
    package var shown: AuthenticatedPerson {
        let attended = session.factors.filter(\.isSeenHere).map(\.at).max()
        return AuthenticatedPerson(
            person: person,
            shownAt: session.factors.isEmpty
                ? session.authenticatedAt : attended ?? Timestamp(milliseconds: 0),
            session: session)
    }
}
