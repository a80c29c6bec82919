// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where provider sessions are kept.
package protocol SessionStore: Sendable {
    /// Stores a new session and ends `replacing` in the same step (a new secret at every sign-in).
    /// When that one is the same person's and still there, its factors since `horizon` go along, so
    /// that whoever shows one more factor has not lost the others; a factor whose credential was
    /// removed or replaced since does not. Returns what was stored.
    /// Every credential that its factors name must still exist and be the person's.
    @discardableResult
    func create(
        _ session: Session, replacing: Identifier<Session>?, carryingSince horizon: Timestamp?,
        now: Timestamp
    ) async throws -> Session
    /// The living session with that secret, with its person in the same read.
    func session(secretHash: [UInt8], now: Timestamp) async throws -> (Session, Person)?
    func session(_ id: Identifier<Session>, now: Timestamp) async throws -> Session?
    /// Living sessions, latest seen first.
    func sessions(of person: Identifier<Person>, now: Timestamp) async throws -> [Session]
    /// Notes that the session was used. Callers do so at most once a minute.
    func touch(session: Identifier<Session>, now: Timestamp, expiresAt: Timestamp) async throws
    /// Ends one session of the person and revokes the grants that came from it.
    func end(
        session: Identifier<Session>, of person: Identifier<Person>, now: Timestamp
    ) async throws -> Bool
    /// Ends every session of the person but `kept`, and revokes their grants. Returns how many.
    /// Without `kept` it is everywhere: the grants of machines, and of programs that were let in with
    /// a code, are revoked too. Those of apps end with their installations.
    func endSessions(
        of person: Identifier<Person>, except kept: Identifier<Session>?, now: Timestamp
    ) async throws -> Int
    /// Ends every session of the person and revokes every grant, those of apps and devices too.
    func endEverything(of person: Identifier<Person>, now: Timestamp) async throws
}

extension SessionStore {
    /// As above, carrying nothing.
    package func create(
        _ session: Session, replacing: Identifier<Session>?, now: Timestamp
    ) async throws {
        try await create(session, replacing: replacing, carryingSince: nil, now: now)
    }
}

/// Where standing permissions are kept.
package protocol ConsentStore: Sendable {
    func consent(
        of person: Identifier<Person>, for client: Identifier<Client>
    ) async throws -> Consent?
    /// With the client each is for, newest first.
    func consents(of person: Identifier<Person>) async throws -> [(Consent, Client)]
    /// Inserts, or widens the scope of the one that exists.
    func save(_ consent: Consent) async throws
    /// Removes the consent and revokes every grant of that person to that client.
    func withdraw(
        person: Identifier<Person>, client: Identifier<Client>, now: Timestamp
    ) async throws -> Bool
}
