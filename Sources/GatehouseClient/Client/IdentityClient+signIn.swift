// SPDX-License-Identifier: Apache-2.0

extension IdentityClient {
    private nonisolated var signIns: SignInService { signIns(nil) }

    /// - Parameter scopes: With `nil` those of the configuration.
    private nonisolated func signIns(_ scopes: [String]?) -> SignInService {
        SignInService(dependencies: dependencies, sessions: sessions, scopes: scopes)
    }

    /// Signs a person in, without a prompt by the app.
    ///
    /// - Parameters:
    ///   - method: The credential to use.
    ///   - profile: The person for ``SignInMethod/deviceKey``; with `nil` the one who signed in last.
    ///     Other methods identify the person themselves.
    ///   - options: The scopes.
    /// - Throws: ``IdentityError/Code/notRegistered``, ``IdentityError/Code/notAuthorized``.
    @discardableResult
    public nonisolated func signIn(
        _ method: SignInMethod, as profile: Profile.ID? = nil,
        options: SignInOptions = SignInOptions()
    ) async throws -> UserSession {
        try await signIns(options.scopes).signIn(method, as: profile)
    }

    /// Signs a person in with a page of the provider, for example to authenticate with a passkey
    /// there (``SignInOptions/acrValues``), or after the PIN was forgotten. It does not register
    /// this installation: a person without a profile gets one without a sign-in key. Use
    /// ``register(with:options:persistence:idempotencyKey:)`` to register.
    ///
    /// - Parameters:
    ///   - presenter: Displays the page.
    ///   - profile: The person; with `nil` the one who signs in on the page.
    ///   - options: The scopes, and parameters of the page.
    /// - Throws: ``IdentityError/Code/cancelled`` if the person closes the page, and
    ///   ``IdentityError/Code/invalidAnswer`` if another person signed in.
    @discardableResult
    public nonisolated func signIn(
        with presenter: some BrowserPresenter, as profile: Profile.ID? = nil,
        options: SignInOptions = SignInOptions()
    ) async throws -> UserSession {
        try await signIns.signIn(with: presenter, as: profile, options)
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
    ///   - options: The scopes.
    public nonisolated func authenticate(
        _ profile: Profile.ID, using authenticator: Authenticator? = nil,
        options: SignInOptions = SignInOptions()
    ) -> AuthenticationFlow {
        AuthenticationFlow(.authentication) { [signIns = signIns(options.scopes)] prompter in
            try await signIns.authenticate(profile, using: authenticator, with: prompter)
        }
    }

    /// Has the person choose a new PIN. The old one stays active until the flow succeeds.
    public nonisolated func changePIN(of profile: Profile.ID) -> PINChangeFlow {
        PINChangeFlow(.pinChange) { [signIns] in try await signIns.changePIN(of: profile, with: $0)
        }
    }
}
