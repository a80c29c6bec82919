// SPDX-License-Identifier: Apache-2.0

/// Returns an active session, and requests a sign-in only if the provider would refuse the tokens.
struct SessionRequirement: Sendable {
    let profiles: ProfileStore
    let sessions: SessionRegistry
    let requests: SignInRequests

    /// - Parameter prompt: Signs a person in: the given profile, or any.
    func session(
        for id: Profile.ID?, _ prompt: @escaping @Sendable (Profile?) async throws -> Void
    ) async throws -> UserSession {
        let profile = try? await profiles.existingProfile(id)
        if let session = try await activeSession(for: id, isKnown: profile != nil) {
            return session
        }
        try await requests.wait(for: id, resolved: profile?.id) {
            try await prompt(profile?.publicProfile)
        }
        return try await sessions.session(for: id)
    }

    /// Returns the session unless the person must sign in. Without a connection to the provider it
    /// is returned unverified.
    private func activeSession(for id: Profile.ID?, isKnown: Bool) async throws -> UserSession? {
        func mustSignIn(_ error: IdentityError) -> Bool {
            switch error.code {
            case .notSignedIn, .notRegistered: true
            // A sign-in replaces damaged tokens, but not a damaged profile.
            case .storageDamaged: isKnown
            default: false
            }
        }
        do {
            let session = try await sessions.session(for: id)
            do { _ = try await session.accessToken() } catch let error as IdentityError {
                try Task.checkCancellation()
                if mustSignIn(error) { throw error }
            }
            return session
        } catch let error as IdentityError where mustSignIn(error) { return nil }
    }
}
