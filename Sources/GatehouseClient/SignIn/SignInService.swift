// SPDX-License-Identifier: Apache-2.0

/// Signs people in, with all methods.
struct SignInService: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry
    /// The requested scopes; with `nil` those of the configuration.
    var scopes: [String]?

    private var profiles: ProfileStore { dependencies.profiles }
    private var deviceKey: DeviceKeySignIn {
        DeviceKeySignIn(dependencies: dependencies, sessions: sessions)
    }
    private var authenticators: AuthenticatorSignIn {
        AuthenticatorSignIn(
            dependencies: dependencies, sessions: sessions, requestedScopes: scopes)
    }

    /// Runs a sign-in, and sends the events of its start and of its failure.
    func announced(
        _ profile: Profile.ID?, _ signIn: () async throws -> UserSession
    ) async throws -> UserSession {
        dependencies.events.send(.signingIn(profile))
        do {
            let session = try await signIn()
            await removeReplacedInstallations(of: session)
            return session
        } catch {
            let error = IdentityError(surfacing: error, in: .authentication)
            dependencies.events.send(.signInFailed(profile, error.code))
            throw error
        }
    }

    private func removeReplacedInstallations(of session: UserSession) async {
        guard let profile = try? await profiles.profile(session.profile.id) else { return }
        await ReplacedInstallations(profiles: profiles).remove(profile, by: session)
    }

    // MARK: Without a prompt

    func signIn(_ method: SignInMethod, as id: Profile.ID?) async throws -> UserSession {
        try await announced(id) {
            switch method {
            case .deviceKey: try await signInWithKey(id)
            case .credential(let provider): try await signIn(with: provider)
            case .passkey: try await authenticators.signInWithPasskey()
            }
        }
    }

    private func signInWithKey(_ id: Profile.ID?) async throws -> UserSession {
        let profile = try await profiles.existingProfile(id)
        guard !profile.hasPIN else {
            throw IdentityError(
                .authentication, .pinRequired, "the profile has a PIN: use authenticate(_:)")
        }
        return try await deviceKey.signIn(profile, scopes: scopes, in: .authentication)
    }

    private func signIn(with provider: any CredentialProvider) async throws -> UserSession {
        let credential = try await provider.credential(for: CredentialRequest(purpose: .signIn))
        let scopes = scopes ?? dependencies.configuration.scopes
        return try await IdentifiedSignIn(dependencies: dependencies, sessions: sessions)
            .run(provider.method) {
                try await $0.request(
                    KeySignIn.form(credential.token, scopes), in: .authentication)
            }.session
    }

    func implicitSession(for id: Profile.ID?, scopes: [String]) async throws -> UserSession {
        try await IdentityError.surfacing(.authentication) {
            let profile = try await profiles.existingProfile(id)
            return try await deviceKey.implicitSession(of: profile, scopes: scopes)
        }
    }

    // MARK: In a browser

    /// Signs in with a page of the provider. The installation is not registered by that.
    ///
    /// - Parameter id: The person; with `nil` any person.
    func signIn(
        with presenter: some BrowserPresenter, as id: Profile.ID?, _ options: SignInOptions
    ) async throws -> UserSession {
        try await announced(id) {
            let known: StoredProfile? =
                if let id { try await profiles.existingProfile(id) } else {
                    nil
                }
            return try await BrowserPageSignIn(
                dependencies: dependencies, sessions: sessions, domain: .authentication
            ).run(options, as: known) { page, redirectURI in
                let response = try await presenter.answer(to: page)
                guard page.isExpected(response.parameters) else {
                    throw IdentityError(
                        .authentication, .redirectMismatch,
                        "the response belongs to another ceremony")
                }
                return BrowserChallenge.Response(
                    parameters: response.parameters, redirectURI: response.redirectURI)
            }.session
        }
    }

    // MARK: With prompts

    /// Signs in with an authenticator that the app has chosen, or the first of the profile.
    func authenticate(
        _ id: Profile.ID, using authenticator: Authenticator?,
        with prompter: FlowPrompter<AuthenticationStep>
    ) async throws -> UserSession {
        try await announced(id) {
            let profile = try await profiles.existingProfile(id)
            return try await removal.removingIfEnded(profile) {
                try await authenticate(profile, using: authenticator, with: prompter)
            }
        }
    }

    func authenticate(
        _ profile: StoredProfile, using authenticator: Authenticator?,
        with prompter: FlowPrompter<AuthenticationStep>
    ) async throws -> UserSession {
        switch authenticator ?? profile.authenticatorsInOrder.first ?? .deviceKey {
        case .deviceKey where profile.hasPIN:
            throw IdentityError(.authentication, .pinRequired, "the profile has a PIN")
        case .deviceKey:
            try await deviceKey.signIn(profile, scopes: scopes, in: .authentication)
        case .pin: try await pinPrompts.signIn(profile, with: prompter) { .enterPIN($0) }
        case let other: try await authenticators.signIn(profile, using: other, with: prompter)
        }
    }

    func changePIN(
        of id: Profile.ID, with prompter: FlowPrompter<PINChangeStep>
    ) async throws -> Profile {
        let profile = try await profiles.existingProfile(id)
        guard profile.hasPIN else {
            throw IdentityError(.pinChange, .pinNotSet, "the profile has no PIN")
        }
        return try await removal.removingIfEnded(profile) {
            try await pinPrompts.change(of: profile, with: prompter)
        }
    }

    private var pinPrompts: PINPrompts {
        PINPrompts(dependencies: dependencies, sessions: sessions, scopes: scopes)
    }

    private var removal: ProfileRemoval {
        ProfileRemoval(dependencies: dependencies, sessions: sessions)
    }
}
