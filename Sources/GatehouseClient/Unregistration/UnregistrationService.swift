// SPDX-License-Identifier: Apache-2.0
import UserClient

/// Signs people out, and removes their profiles, at the provider and on this device.
struct UnregistrationService: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry

    private var profiles: ProfileStore { dependencies.profiles }
    private var removal: ProfileRemoval {
        ProfileRemoval(dependencies: dependencies, sessions: sessions)
    }

    // MARK: Signing out

    func signOut(_ id: Profile.ID, _ scope: SignOutScope) async throws -> RemovalOutcome {
        try await IdentityError.surfacing(.signOut) {
            let profile = try await profiles.existingProfile(id)
            let outcome = await RemovalOutcome(notifyingIn: scope == .localOnly ? nil : .signOut) {
                try await revokeTokens(of: profile, scope)
            }
            try await TokenRenewal(initial: profile, dependencies: dependencies).deleteTokens()
            await sessions.remove(id)?.end()
            dependencies.events.send(.signedOut(id, .requested))
            return outcome
        }
    }

    private func revokeTokens(of profile: StoredProfile, _ scope: SignOutScope) async throws {
        if scope == .everywhere {
            // Needs a session, also if the person is signed out on this device.
            let session = try await session(of: profile)
            _ = try await session.object("DELETE", "sign_ins", in: .signOut)
            return
        }
        let session: UserSession
        do { session = try await sessions.session(for: profile.id) } catch let error
            as IdentityError
            where error.code == .notSignedIn
        { return }
        try await revokeRefreshToken(of: session)
    }

    private func revokeRefreshToken(of session: UserSession) async throws {
        guard let token = session.cache.tokens?.refreshToken else { return }
        try await TokenEndpointClient.revoke(token, by: dependencies.connection)
    }

    /// Ends the provider's session in the browser (OpenID Connect RP-Initiated Logout 1.0).
    func signOutInBrowser(_ id: Profile.ID, _ presenter: some BrowserPresenter) async throws {
        try await IdentityError.surfacing(.signOut) {
            let session = try await sessions.session(for: id)
            guard let idToken = session.cache.tokens?.idToken,
                let ceremony = BrowserSignOut(
                    directory: try await dependencies.connection.currentDocuments().directory,
                    clientID: dependencies.configuration.clientID, idToken: idToken,
                    random: dependencies.random)
            else {
                throw IdentityError(
                    .signOut, .methodNotSupported,
                    "the provider has no sign-out page, or the session has no ID token")
            }
            let answer = try await presenter.answer(to: BrowserRequest(ceremony))
            guard ceremony.isExpected(answer.parameters) else {
                throw IdentityError(
                    .signOut, .redirectMismatch, "the response belongs to another ceremony")
            }
        }
    }

    // MARK: Removing

    func remove(_ id: Profile.ID) async throws -> RemovalOutcome {
        try await IdentityError.surfacing(.deregistration) {
            let profile: StoredProfile
            do { profile = try await profiles.existingProfile(id) } catch let error as IdentityError
                where error.profile == id
            {
                try await removal.remove(damaged: id)
                dependencies.events.send(.signedOut(id, .removed))
                return .localOnly(error)
            }
            let outcome = await RemovalOutcome(notifyingIn: .deregistration) {
                try await unregister(profile)
            }
            try await removal.remove(profile)
            dependencies.events.send(.signedOut(id, .removed))
            return outcome
        }
    }

    private func unregister(_ profile: StoredProfile) async throws {
        let session = try await session(of: profile)
        guard let installation = profile.installationID else {
            return try await revokeRefreshToken(of: session)
        }
        do {
            _ = try await session.object(
                "DELETE", "installations", below: "/current", in: .deregistration)
        } catch let error as IdentityError where error.serverCode == "unknown_installation" {
            // The tokens are of a sign-in with a page, which has no current installation.
            _ = try await session.object(
                "DELETE", "installations", below: "/\(installation)", in: .deregistration)
        }
    }

    func deleteAccount(of id: Profile.ID) async throws {
        try await IdentityError.surfacing(.deregistration) {
            let profile = try await profiles.existingProfile(id)
            let session = try await session(of: profile)
            _ = try await session.object("DELETE", "account", in: .deregistration)
            try await removal.remove(profile)
            dependencies.events.send(.signedOut(id, .removed))
        }
    }

    func eraseLocalState() async throws {
        try await IdentityError.surfacing(.generic) { try await removal.removeAll() }
    }

    private func session(of profile: StoredProfile) async throws -> UserSession {
        try await DeviceKeySignIn(dependencies: dependencies, sessions: sessions)
            .session(of: profile, in: .deregistration)
    }
}
