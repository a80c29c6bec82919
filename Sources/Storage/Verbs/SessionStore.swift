// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of provider sessions.
package protocol SessionStore: Sendable {
    /// Inserts a new session and ends `replacing` in the same transaction, so that every sign-in
    /// has a new secret. If that session is active and of the same person, its factors since
    /// `horizon` are copied, so that a new factor adds to them. A factor whose credential was removed
    /// or replaced since is not copied. Returns the inserted session. Every credential of its
    /// factors must exist and belong to the person.
    @discardableResult
    func create(
        _ session: Session, replacing: Identifier<Session>?, carryingSince horizon: Timestamp?,
        now: Timestamp
    ) async throws -> Session
    /// Returns the active session with that secret, and its person in the same read.
    func session(secretHash: [UInt8], now: Timestamp) async throws -> (Session, Person)?
    func session(_ id: Identifier<Session>, now: Timestamp) async throws -> Session?
    /// Returns active sessions, last seen first.
    func sessions(of person: Identifier<Person>, now: Timestamp) async throws -> [Session]
    /// Updates the last use of the session. Callers do so at most once a minute.
    func touch(session: Identifier<Session>, now: Timestamp, expiresAt: Timestamp) async throws
    /// Ends one session of the person and revokes its grants.
    func end(
        session: Identifier<Session>, of person: Identifier<Person>, now: Timestamp
    ) async throws -> Bool
    /// Ends every session of the person except `kept`, and revokes their grants. Returns the number
    /// of sessions.
    ///
    /// Without `kept`, the grants of devices and of programs that use a device code are revoked
    /// too. Those of apps end with their installations.
    func endSessions(
        of person: Identifier<Person>, except kept: Identifier<Session>?, now: Timestamp
    ) async throws -> Int
    /// Ends every session of the person and revokes every grant, including those of apps and
    /// devices.
    func endEverything(of person: Identifier<Person>, now: Timestamp) async throws
}

extension SessionStore {
    /// Inserts a session as above, without copying factors.
    package func create(
        _ session: Session, replacing: Identifier<Session>?, now: Timestamp
    ) async throws {
        try await create(session, replacing: replacing, carryingSince: nil, now: now)
    }
}

/// A store of consents.
package protocol ConsentStore: Sendable {
    func consent(
        of person: Identifier<Person>, for client: Identifier<Client>
    ) async throws -> Consent?
    /// Returns the consents with their clients, newest first.
    func consents(of person: Identifier<Person>) async throws -> [(Consent, Client)]
    /// Inserts the consent, or adds to the scope of the existing one.
    func save(_ consent: Consent) async throws
    /// Deletes the consent and revokes every grant of that person to that client.
    func withdraw(
        person: Identifier<Person>, client: Identifier<Client>, now: Timestamp
    ) async throws -> Bool
}
