// SPDX-License-Identifier: Apache-2.0

/// Signs a person in with an authenticator: a ``UserVerifier`` or a passkey.
struct AuthenticatorSignIn: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry
    /// The requested scopes; with `nil` those of the configuration.
    var requestedScopes: [String]?

    private var scopes: [String] { requestedScopes ?? dependencies.configuration.scopes }

    /// Signs in with an authenticator of the profile, or with the PIN if the person chooses that.
    func signIn(
        _ profile: StoredProfile, using authenticator: Authenticator,
        with prompter: FlowPrompter<AuthenticationStep>
    ) async throws -> UserSession {
        guard let known = profile.stored(authenticator) else {
            throw IdentityError(
                .authentication, .authenticatorNotRegistered,
                "the profile has no authenticator \(authenticator)")
        }
        let verifier: (any UserVerifier)? =
            authenticator == .passkey
            ? nil : try await dependencies.availableVerifier(authenticator, in: .authentication)
        let answer = try await prompter.prompt { continuation in
            AuthenticationStep.authenticator(
                AuthenticatorChallenge(
                    profile.publicProfile, authenticator, offersPIN: profile.hasPIN,
                    continuation: continuation))
        }
        guard case .prompt(let prompt) = answer else {
            return try await signInWithPIN(profile, prompter)
        }
        guard let verifier else { return try await signIn(profile, withPasskey: known) }
        do {
            return try await signIn(profile, known, verifier, prompt)
        } catch UserVerificationError.wantsPIN where profile.hasPIN {
            return try await signInWithPIN(profile, prompter)
        } catch {
            throw UserVerificationError.surfaced(error, of: authenticator, in: .authentication)
        }
    }

    private func signInWithPIN(
        _ profile: StoredProfile, _ prompter: FlowPrompter<AuthenticationStep>
    ) async throws -> UserSession {
        try await PINPrompts(
            dependencies: dependencies, sessions: sessions, scopes: requestedScopes
        )
        .signIn(profile, with: prompter) { .enterPIN($0) }
    }

    private func signIn(
        _ profile: StoredProfile, _ known: StoredAuthenticator, _ verifier: any UserVerifier,
        _ prompt: String
    ) async throws -> UserSession {
        let connection = dependencies.connection
        let tokenKey = try await dependencies.profiles.tokenKey(of: profile)
        let key = VerifiedKey(
            verifier: verifier, name: known.key, prompt: prompt, publicKey: tokenKey.publicKey)
        do {
            let tokens = try await KeySignIn(
                connection: connection,
                endpoint: TokenEndpointClient(connection: connection, key: tokenKey), key: key
            ).run(
                userID: profile.userID, keyID: known.keyID, scopes: scopes, in: .authentication)
            return try await sessions.signIn(profile, with: tokens)
        } catch let refusal as TokenRefusal where refusal.isGrantDead {
            throw Self.deregistered(refusal)
        }
    }

    // MARK: Passkeys

    /// Signs in a person who chooses one of the passkeys on this device.
    func signInWithPasskey() async throws -> UserSession {
        let requests = try await dependencies.passkeyRequests(in: .authentication)
        let form = try await UserVerificationError.surfacing(.authentication) {
            try await requests.signInForm(allowing: [], scopes: scopes)
        }
        let method = RegistrationMethod(rawValue: Authenticator.passkeyKind)
        return try await IdentifiedSignIn(dependencies: dependencies, sessions: sessions)
            .run(method) { try await $0.request(form, in: .authentication) }.session
    }

    private func signIn(
        _ profile: StoredProfile, withPasskey known: StoredAuthenticator
    ) async throws -> UserSession {
        let requests = try await dependencies.passkeyRequests(in: .authentication)
        let form = try await UserVerificationError.surfacing(.authentication) {
            try await requests.signInForm(allowing: [known.keyID], scopes: scopes)
        }
        let endpoint = TokenEndpointClient(
            connection: dependencies.connection,
            key: try await dependencies.profiles.tokenKey(of: profile))
        do {
            let tokens = try await endpoint.request(
                form, expecting: .init(subject: profile.userID), in: .authentication)
            return try await sessions.signIn(profile, with: tokens)
        } catch let refusal as TokenRefusal
            where refusal.error.code == .authenticatorNotRegistered
        {
            throw Self.deregistered(refusal)
        }
    }

    private static func deregistered(_ refusal: TokenRefusal) -> IdentityError {
        IdentityError(
            .authentication, .authenticatorDeregistered,
            "the provider no longer accepts this authenticator",
            serverCode: refusal.error.serverCode)
    }
}
