// SPDX-License-Identifier: Apache-2.0

extension IdentityClient {
    private nonisolated var unregistration: UnregistrationService {
        UnregistrationService(dependencies: dependencies, sessions: sessions)
    }

    /// Signs a person out. Profile, key and PIN stay.
    ///
    /// - Throws: ``IdentityError/Code/notRegistered`` if the profile does not exist, and an error if
    ///   the tokens could not be deleted on this device. Errors at the provider are a result.
    @discardableResult
    public func signOut(
        _ profile: Profile.ID, _ scope: SignOutScope = .thisDevice
    ) async throws -> RemovalOutcome {
        try await unregistration.signOut(profile, scope)
    }

    /// Signs a person out in the browser, where an active session would sign them in again without
    /// a prompt (OpenID Connect RP-Initiated Logout 1.0), and then in this app.
    ///
    /// If the person closes the page, they stay signed in in both. Profile, key and PIN stay. The
    /// redirect URI must be among the client's `post_logout_redirect_uris`.
    ///
    /// - Throws: ``IdentityError/Code/notSignedIn``, ``IdentityError/Code/cancelled`` if the person
    ///   closes the window, ``IdentityError/Code/methodNotSupported`` if the provider has no
    ///   sign-out page or issued no ID token: use ``signOut(_:_:)`` then.
    @discardableResult
    public func signOut(
        _ profile: Profile.ID, in presenter: some BrowserPresenter
    ) async throws -> RemovalOutcome {
        try await unregistration.signOutInBrowser(profile, presenter)
        return try await signOut(profile)
    }

    /// Removes a person from this installation: at the provider the key and its grants, and on this
    /// device all data. Other people stay registered.
    ///
    /// One of ``damagedProfiles`` is removed from this device only, because its name at the provider
    /// cannot be read; the outcome says so. The person or an administrator removes the installation
    /// there. The keys of its ``UserVerifier`` stay.
    ///
    /// - Throws: ``IdentityError/Code/notRegistered`` if the profile does not exist, and an error if
    ///   data could not be deleted on this device: repeat the call then.
    @discardableResult
    public func remove(_ profile: Profile.ID) async throws -> RemovalOutcome {
        try await unregistration.remove(profile)
    }

    /// Deletes a person's account at the provider, and removes the profile. If the provider is
    /// unreachable or refuses, nothing changes.
    ///
    /// - Throws: ``IdentityError/Code/deregistrationRefused`` for people whose account an upstream
    ///   provider manages, unless the project allows it. ``IdentityError/Code/tooManyRequests`` if
    ///   too many accounts were deleted in the last day: try again later.
    public func deleteAccount(of profile: Profile.ID) async throws {
        try await unregistration.deleteAccount(of: profile)
    }

    /// Deletes everything that the SDK has stored, also for other providers, without notifying a
    /// provider. The installation stays registered there: prefer ``remove(_:)``.
    public func eraseLocalState() async throws { try await unregistration.eraseLocalState() }
}
