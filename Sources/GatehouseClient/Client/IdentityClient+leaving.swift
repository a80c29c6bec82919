// SPDX-License-Identifier: Apache-2.0

/// How far a sign-out goes.
public enum SignOutScope: Sendable, Hashable {
    /// The tokens of this installation, at the provider and here.
    case thisDevice
    /// Everything that the person is signed in with, everywhere, and here. Installations stay
    /// registered: one whose key signs in unasked, without a PIN, does so again when it next needs a
    /// token. Who has lost a device removes its installation.
    case everywhere
    /// Here alone: the provider is not asked. Tokens that somebody has copied live on.
    case localOnly
}

/// How a sign-out or removal ended. It is done here either way.
public enum RemovalOutcome: Sendable {
    /// The provider knows.
    case complete
    /// Done here; the provider could not be told, for that reason.
    case localOnly(IdentityError)

    /// Whether the provider knows.
    public var isComplete: Bool { if case .complete = self { true } else { false } }
}

extension IdentityClient {
    /// Signs somebody out. Profile, key and PIN stay.
    ///
    /// - Throws: ``IdentityError/Code/notRegistered`` for a profile that is not here, and when the tokens
    ///   could not be removed here; nothing else is an error.
    @discardableResult
    public func signOut(
        _ profile: Profile.ID, _ scope: SignOutScope = .thisDevice
    ) async throws -> RemovalOutcome {
        try await IdentityError.surfacing(.signOut) {
            let stored = try await stored(profile)
            let outcome = await tell(scope == .localOnly ? nil : .signOut) {
                guard let session = try await self.sessionToEnd(stored, scope) else { return }
                try await self.endAtProvider(session, scope)
            }
            try await renewal(of: stored).forget()
            await forgetSession(profile)?.end()
            system.hub.send(.signedOut(profile, .requested))
            return outcome
        }
    }

    /// Whose tokens are to be ended; `nil` when there is nothing to end. Who wants everything ended
    /// needs a session for it, also when they are signed out here.
    private func sessionToEnd(
        _ profile: StoredProfile, _ scope: SignOutScope
    ) async throws -> UserSession? {
        if scope == .everywhere { return try await sessionToLeave(profile) }
        do { return try await session(for: profile.id) } catch let error as IdentityError
            where error.code == .notSignedIn
        { return nil }
    }

    private nonisolated func endAtProvider(
        _ session: UserSession, _ scope: SignOutScope
    ) async throws {
        if scope == .everywhere {
            _ = try await session.object("DELETE", "sign_ins", in: .signOut)
        } else if let token = session.cache.tokens?.refreshToken {
            try await TokenEndpointClient.revoke(token, by: system.connection)
        }
    }

    /// Removes somebody from this installation: at the provider its key and all that was given to
    /// it, and here everything. Others who are registered here stay.
    ///
    /// One of ``damagedProfiles`` goes from here alone, and the outcome says so: what the provider
    /// calls it cannot be read. Its installation is removed there by the person or an administrator.
    /// Keys that a ``UserVerifier`` holds for it stay with that.
    ///
    /// - Throws: ``IdentityError/Code/notRegistered`` for a profile that is not here, and when something
    ///   could not be removed here: do it again then.
    @discardableResult
    public func remove(_ profile: Profile.ID) async throws -> RemovalOutcome {
        try await IdentityError.surfacing(.deregistration) {
            let stored: StoredProfile
            do { stored = try await self.stored(profile) } catch let error as IdentityError
                where error.profile == profile
            {
                try await removeDamaged(profile)
                return .localOnly(error)
            }
            let outcome = await tell(.deregistration) {
                let session = try await self.sessionToLeave(stored)
                if stored.installationID != nil {
                    _ = try await session.object(
                        "DELETE", "installations", below: "/current", in: .deregistration)
                } else if let token = session.cache.tokens?.refreshToken {
                    try await TokenEndpointClient.revoke(token, by: system.connection)
                }
            }
            try await forget(stored)
            system.hub.send(.signedOut(profile, .removed))
            return outcome
        }
    }

    private func removeDamaged(_ profile: Profile.ID) async throws {
        forgetSession(profile)?.cache.end()
        try await system.book.wipe(damaged: profile)
        await PendingKeys(system).removeOrphans()
        system.hub.send(.signedOut(profile, .removed))
    }

    /// Closes somebody's account at the provider, and removes them here. There is no half of it:
    /// when the provider cannot be reached or refuses, nothing happens.
    ///
    /// - Throws: ``IdentityError/Code/deregistrationRefused`` for people whose account is another
    ///   provider's, unless the project lets them.
    public func deleteAccount(of profile: Profile.ID) async throws {
        try await IdentityError.surfacing(.deregistration) {
            let stored = try await stored(profile)
            let session = try await sessionToLeave(stored)
            _ = try await session.object("DELETE", "account", in: .deregistration)
            try await forget(stored)
            system.hub.send(.signedOut(profile, .removed))
        }
    }

    /// Removes everything that the SDK keeps in these stores, of other providers too, and tells
    /// nobody. What this installation is registered with stays at the provider: ``remove(_:)`` is better.
    public func eraseLocalState() async throws {
        try await IdentityError.surfacing(.generic) {
            let known = (try? await system.book.listingOfEveryProvider()) ?? ProfileListing()
            for profile in known.profiles { await system.removeKeys(of: profile.authenticators) }
            let wiped: Result<Void, any Error>
            do { wiped = .success(try await system.book.wipeAll()) } catch {
                wiped = .failure(error)
            }
            let ids = known.profiles.map(\.id) + known.damage.compactMap(\.profile)
            for id in Set(ids + profilesWithSession) {
                forgetSession(id)?.cache.end()
                system.hub.send(.signedOut(id, .removed))
            }
            try wiped.get()
        }
    }

    /// The session of somebody who is leaving; signed in for it by their key, if they are not.
    func sessionToLeave(_ profile: StoredProfile) async throws -> UserSession {
        do {
            return try await session(for: profile.id)
        } catch let error as IdentityError where error.code == .notSignedIn {
            guard profile.signsInAlone else { throw error }
            return try await signInWithKey(profile, in: .deregistration)
        }
    }

    /// Removes all of a profile here.
    func forget(_ profile: StoredProfile) async throws {
        forgetSession(profile.id)?.cache.end()
        await system.removeKeys(of: profile.authenticators)
        try await system.book.wipe(profile)
    }

    /// Tells the provider; that it could not be told is an outcome and no error.
    nonisolated func tell(
        _ domain: IdentityError.Domain?, _ body: () async throws -> Void
    ) async -> RemovalOutcome {
        guard let domain else { return .complete }
        do {
            try await body()
            return .complete
        } catch {
            return .localOnly(IdentityError(surfacing: error, in: domain))
        }
    }
}
