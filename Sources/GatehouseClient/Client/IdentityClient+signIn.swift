// SPDX-License-Identifier: Apache-2.0

extension IdentityClient {
    private nonisolated var signIns: SignInService {
        SignInService(dependencies: dependencies, sessions: sessions)
    }

    /// Signs a person in, without a prompt by the app.
    ///
    /// - Parameters:
    ///   - method: The credential to use.
    ///   - profile: The person for ``SignInMethod/deviceKey``; with `nil` the one who signed in last.
    ///     Other methods identify the person themselves.
    /// - Throws: ``IdentityError/Code/notRegistered``, ``IdentityError/Code/notAuthorized``.
    @discardableResult
    public nonisolated func signIn(
        _ method: SignInMethod, as profile: Profile.ID? = nil
    ) async throws -> UserSession {
        try await signIns.signIn(method, as: profile)
    }

    /// Returns a session with the scopes that the project grants to the installation's key alone
    /// (`implicit_scopes`). It is not stored, and independent of the person's other session. Request
    /// it again after a restart.
    ///
    /// - Parameters:
    ///   - profile: With `nil`, the person who signed in last.
    ///   - scopes: A subset of the scopes that the project grants to the key alone.
    /// - Throws: ``IdentityError/Code/pinRequired`` if the project requires the PIN for them.
    public nonisolated func implicitSession(
        for profile: Profile.ID? = nil, scopes: [String]
    ) async throws -> UserSession {
        try await signIns.implicitSession(for: profile, scopes: scopes)
    }

    /// Signs a person in with the PIN or another authenticator.
    ///
    /// - Parameters:
    ///   - profile: The person.
    ///   - authenticator: With `nil` the first of ``authenticators(of:_:)``.
    public nonisolated func authenticate(
        _ profile: Profile.ID, using authenticator: Authenticator? = nil
    ) -> AuthenticationFlow {
        AuthenticationFlow(.authentication) { [signIns] prompter in
            try await signIns.authenticate(profile, using: authenticator, with: prompter)
        }
    }

    /// Has the person choose a new PIN. The old one stays active until the flow succeeds.
    public nonisolated func changePIN(of profile: Profile.ID) -> PINChangeFlow {
        PINChangeFlow(.pinChange) { [signIns] in try await signIns.changePIN(of: profile, with: $0)
        }
    }
}
