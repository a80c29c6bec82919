// SPDX-License-Identifier: Apache-2.0

/// The sessions of one client, at most one for each profile.
actor SessionRegistry {
    private let dependencies: ClientDependencies
    private var sessions: [Profile.ID: UserSession] = [:]

    init(_ dependencies: ClientDependencies) { self.dependencies = dependencies }

    /// The profiles with a session in this process, whatever the store contains.
    var profileIDs: [Profile.ID] { Array(sessions.keys) }

    /// Returns the session of a profile, from memory or with the stored tokens.
    ///
    /// - Parameter id: With `nil` the person who signed in last.
    /// - Throws: ``IdentityError/Code/notRegistered``, ``IdentityError/Code/notSignedIn`` and
    ///   ``IdentityError/Code/storageDamaged``.
    func session(for id: Profile.ID?) async throws -> UserSession {
        try await IdentityError.surfacing(.authentication) {
            let profile = try await dependencies.profiles.existingProfile(id)
            if let session = sessions[profile.id], session.cache.tokens != nil { return session }
            let renewal = TokenRenewal(initial: profile, dependencies: dependencies)
            let isRefused = sessions[profile.id]?.renewal.refused
            guard let tokens = try await stored(renewal), isRefused?.contains(tokens) != true else {
                throw IdentityError(.authentication, .notSignedIn, "the person is not signed in")
            }
            return insert(
                UserSession(
                    profile: profile, tokens: tokens, renewal: renewal,
                    events: dependencies.events))
        }
    }

    private func stored(_ renewal: TokenRenewal) async throws -> StoredTokens? {
        do { return try await renewal.read() } catch let error as StoreError where error.isDamage {
            throw IdentityError(
                .generic, .storageDamaged,
                "the tokens cannot be read; a sign-in replaces them: \(error)",
                retry: .afterSignIn, underlying: error)
        }
    }

    /// Puts the tokens of a new sign-in into the profile's session, which is created if necessary.
    func signIn(_ profile: StoredProfile, with tokens: StoredTokens) async throws -> UserSession {
        let session: UserSession
        if let known = sessions[profile.id], known.profile == profile.publicProfile {
            session = known
        } else {
            session = UserSession(
                profile: profile, tokens: sessions[profile.id]?.cache.tokens,
                renewal: TokenRenewal(initial: profile, dependencies: dependencies),
                events: dependencies.events)
        }
        try await session.adopt(tokens)
        return insert(session)
    }

    private func insert(_ session: UserSession) -> UserSession {
        // Another task may have inserted one while this one read the store.
        if let known = sessions[session.profile.id], known !== session,
            known.profile == session.profile, known.cache.tokens != nil
        {
            return known
        }
        sessions[session.profile.id] = session
        dependencies.events.send(.signedIn(session.profile.id))
        return session
    }

    /// Removes the session of a profile, and returns it.
    func remove(_ id: Profile.ID) -> UserSession? { sessions.removeValue(forKey: id) }
}
