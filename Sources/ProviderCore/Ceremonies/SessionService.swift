// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// A session of a browser with its person.
package struct AuthenticatedSession: Sendable {
    package let session: Session
    package let person: Person

    /// Only ``SessionService`` and tests create it.
    package init(session: Session, person: Person) {
        self.session = session
        self.person = person
    }

    /// Maximum age of a factor for sensitive changes.
    package static let freshness = TimeSpan.minutes(5)

    package func isFresh(at now: Timestamp) -> Bool { shown.isFresh(at: now) }
}

/// Creates, finds, extends and ends the sessions at the provider.
package struct SessionService: Sendable {
    let provider: Provider

    package init(provider: Provider) { self.provider = provider }

    /// Minimum time between two updates of the last use, so that not every page causes a write.
    static let touchInterval = TimeSpan.minutes(1)

    /// The session of a cookie. Returns `nil` for a malformed, unknown, idle or expired cookie, and
    /// for one of another project or a disabled person.
    package func current(
        cookie: String?, tenant: Tenant, facts: RequestMetadata
    ) async throws -> AuthenticatedSession? {
        guard let cookie, let secret = Base64URL.decode(cookie), secret.count == 32,
            let (session, person) = try await provider.store.sessions.session(
                secretHash: provider.secrets.hash(secret, for: .session), now: facts.now),
            isActive(session, of: tenant, at: facts.now),
            person.project == tenant.project.id, !person.disabled
        else { return nil }
        return AuthenticatedSession(
            session: try await touched(session, tenant: tenant, now: facts.now), person: person)
    }

    /// Starts a session with a new secret. Ends the replaced session in the same transaction. If
    /// that session was the same person's, its factors are carried over with their times.
    ///
    /// - Parameter restsOn: see ``Session/restsOn``.
    package func start(
        person: Person, factor: AuthenticationFactor, tenant: Tenant, facts: RequestMetadata,
        replacing: Session?, restsOn: [UInt8]? = nil
    ) async throws -> (AuthenticatedSession, cookieValue: String) {
        let secret = provider.random.bytes(32)
        let session = Session(
            id: Identifier(now: facts.now, random: provider.random), project: tenant.project.id,
            person: person.id, secretHash: provider.secrets.hash(secret, for: .session),
            authenticationMethods: factor.methods.joined(separator: " "), factors: [factor],
            authenticatedAt: facts.now,
            lastSeenAt: facts.now,
            expiresAt: expiry(seen: facts.now, started: facts.now, tenant: tenant),
            device: UserAgentDescription.describe(userAgent: facts.userAgent),
            address: facts.address,
            restsOn: restsOn)
        let horizon = facts.now - .seconds(tenant.project.policy.sessionLifetime)
        let stored = try await provider.store.sessions.create(
            session, replacing: replacing?.id, carryingSince: horizon, now: facts.now)
        return (AuthenticatedSession(session: stored, person: person), Base64URL.encode(secret))
    }

    /// Ends the session and revokes the grants that came from it.
    package func end(
        _ signedIn: AuthenticatedSession, tenant: Tenant, facts: RequestMetadata
    ) async throws {
        _ = try await provider.store.sessions.end(
            session: signedIn.session.id, of: signedIn.person.id, now: facts.now)
        try await provider.audit.record(
            AuditEventDraft(
                "sign-out", in: tenant.project.id, facts: facts, person: signedIn.person.id))
    }

    private func isActive(_ session: Session, of tenant: Tenant, at now: Timestamp) -> Bool {
        let policy = tenant.project.policy
        return session.project == tenant.project.id && session.expiresAt > now
            && now - session.authenticatedAt < .seconds(policy.sessionLifetime)
            && now - session.lastSeenAt < .seconds(policy.sessionIdleLifetime)
    }

    private func touched(
        _ session: Session, tenant: Tenant, now: Timestamp
    ) async throws -> Session {
        guard now - session.lastSeenAt >= Self.touchInterval else { return session }
        var session = session
        session.lastSeenAt = now
        session.expiresAt = expiry(seen: now, started: session.authenticatedAt, tenant: tenant)
        try await provider.store.sessions.touch(
            session: session.id, now: now, expiresAt: session.expiresAt)
        return session
    }

    private func expiry(seen: Timestamp, started: Timestamp, tenant: Tenant) -> Timestamp {
        let policy = tenant.project.policy
        return min(
            seen + .seconds(policy.sessionIdleLifetime), started + .seconds(policy.sessionLifetime))
    }
}
