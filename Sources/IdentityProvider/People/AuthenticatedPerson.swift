// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Somebody who is known here, by a cookie or a token, and when they last showed who they are.
struct AuthenticatedPerson: Sendable {
    let person: Person
    let shownAt: Timestamp
    /// The browser's; `nil` when an app's token speaks for them.
    let session: Session?

    /// Whether that was within the last five minutes, which sensitive changes need.
    func isFresh(at now: Timestamp) -> Bool { now - shownAt <= AuthenticatedSession.freshness }
}

extension AuthenticatedSession {
    /// Another provider may have seen somebody long before the session began here, and nobody need
    /// have been there when an app opened it: then they have not shown themselves here at all.
    var shown: AuthenticatedPerson {
        let attended = session.factors.filter(\.isSeenHere).map(\.at).max()
        return AuthenticatedPerson(
            person: person,
            shownAt: session.factors.isEmpty
                ? session.authenticatedAt : attended ?? Timestamp(milliseconds: 0),
            session: session)
    }
}
