// SPDX-License-Identifier: Apache-2.0
import PIN
import Primitives

/// How somebody signs in without the app asking anything.
public enum SignInMethod: Sendable {
    /// The installation's key signs a nonce of the provider's.
    case deviceKey
    /// A registered issuer vouches for them.
    case credential(any CredentialProvider)
    /// Their passkey signs. The system asks them, and lets them choose who they are.
    case passkey
}

extension IdentityClient {
    /// Signs somebody in; the app asks them nothing.
    ///
    /// - Parameters:
    ///   - method: What speaks for them.
    ///   - profile: With ``SignInMethod/deviceKey`` whose key; with `nil` that of whoever signed in
    ///     last. A credential, and a passkey, says itself who it is.
    /// - Throws: ``IdentityError/Code/notRegistered``, ``IdentityError/Code/notAuthorized``.
    @discardableResult
    public nonisolated func signIn(
        _ method: SignInMethod, as profile: Profile.ID? = nil
    ) async throws -> UserSession {
        try await announced(profile) {
            switch method {
            case .deviceKey:
                let stored = try await stored(profile)
                guard !stored.hasPIN else {
                    throw IdentityError(
                        .authentication, .pinRequired,
                        "a PIN guards the profile: use authenticate(_:)")
                }
                return try await signInWithKey(stored, in: .authentication)
            case .credential(let provider): return try await signIn(with: provider)
            case .passkey: return try await signInWithPasskey()
            }
        }
    }

    /// Runs a sign-in, and tells of its beginning and of its end.
    private nonisolated func announced(
        _ profile: Profile.ID?, _ signIn: () async throws -> UserSession
    ) async throws -> UserSession {
        system.hub.send(.signingIn(profile))
        do { return try await signIn() } catch {
            let error = IdentityError(surfacing: error, in: .authentication)
            system.hub.send(.signInFailed(profile, error.code))
            throw error
        }
    }

    nonisolated func signInWithKey(
        _ profile: StoredProfile, in domain: IdentityError.Domain
    ) async throws -> UserSession {
        guard let keyID = profile.keyID else {
            throw IdentityError(
                domain, .authenticatorNotRegistered, "the profile has no registered key")
        }
        let endpoint = try await system.endpoint(of: profile)
        let tokens = try await KeySignIn(
            connection: system.connection, endpoint: endpoint,
            key: try await system.book.key(of: profile)
        ).run(
            userID: profile.userID, keyID: keyID, scopes: system.configuration.scopes, in: domain)
        return try await signedIn(profile, tokens)
    }

    /// A session of somebody whom nobody has asked: by the installation's key alone, for what the
    /// project gives out so (`implicit_scopes`). Nothing of it is kept, and it is beside whatever
    /// session the person has; ask for it anew after a restart.
    ///
    /// - Parameters:
    ///   - profile: With `nil`, whoever signed in last.
    ///   - scopes: No more than the project lets a key have alone.
    /// - Throws: ``IdentityError/Code/pinRequired`` when the project wants the PIN for that.
    public nonisolated func implicitSession(
        for profile: Profile.ID? = nil, scopes: [String]
    ) async throws -> UserSession {
        try await IdentityError.surfacing(.authentication) {
            let stored = try await stored(profile)
            guard let keyID = stored.keyID else {
                throw IdentityError(
                    .authentication, .authenticatorNotRegistered,
                    "the profile has no registered key")
            }
            let endpoint = try await system.endpoint(of: stored)
            do {
                let tokens = try await KeySignIn(
                    connection: system.connection, endpoint: endpoint,
                    key: try await system.book.key(of: stored)
                ).run(userID: stored.userID, keyID: keyID, scopes: scopes, in: .authentication)
                return implicitSession(stored, tokens)
            } catch let refusal as TokenRefusal where refusal.isGrantDead && stored.hasPIN {
                throw IdentityError(
                    .authentication, .pinRequired,
                    "the project does not give that to the key alone",
                    serverCode: refusal.error.serverCode)
            }
        }
    }

    private nonisolated func implicitSession(
        _ profile: StoredProfile, _ tokens: StoredTokens
    ) -> UserSession {
        // It renews itself by the key, as long as there is one.
        var keyAlone = profile
        keyAlone.hasPIN = false
        let renewal = TokenRenewal(
            initial: keyAlone, system: system, isKept: false, isByKeyAlone: true)
        return UserSession(
            profile: profile, tokens: tokens, renewal: renewal, hub: EventBroadcaster())
    }

    private nonisolated func signIn(
        with provider: any CredentialProvider
    ) async throws -> UserSession {
        let credential = try await provider.credential(for: CredentialRequest(purpose: .signIn))
        return try await entered(by: provider.method) { endpoint in
            try await endpoint.request(
                KeySignIn.form(credential.token, system.configuration.scopes),
                in: .authentication)
        }
    }

    /// The session of somebody who says themselves who they are; a profile is made unless there is
    /// one. Their tokens are bound to a new key.
    nonisolated func entered(
        by method: RegistrationMethod,
        _ tokens: @Sendable (TokenEndpointClient) async throws -> StoredTokens
    ) async throws -> UserSession {
        let system = system
        let keyName = RecordName("key", system.book.newName())
        return try await PendingKeys(system).whileMaking(keyName) {
            let key = try await system.book.keys.makeKey(keyName)
            let given = try await tokens(
                TokenEndpointClient(connection: system.connection, key: key))
            return try await enter(given, keyName, method: method, system).session
        }
    }

    // MARK: With the person

    /// Signs somebody in who shows that it is them: with their PIN, or with another of their
    /// authenticators.
    ///
    /// - Parameters:
    ///   - profile: Who it is.
    ///   - authenticator: With `nil` the first of ``authenticators(of:_:)``.
    public nonisolated func authenticate(
        _ profile: Profile.ID, using authenticator: Authenticator? = nil
    ) -> AuthenticationFlow {
        AuthenticationFlow(
            runner: FlowRunner(.authentication) { [self] asker in
                try await announced(profile) {
                    let stored = try await stored(profile)
                    return try await wipingWhenEnded(stored) {
                        try await authenticate(stored, using: authenticator, asking: asker)
                    }
                }
            })
    }

    nonisolated func authenticate(
        _ stored: StoredProfile, using authenticator: Authenticator?,
        asking asker: FlowAsker<AuthenticationStep>
    ) async throws -> UserSession {
        switch authenticator ?? stored.authenticatorsInOrder.first ?? .deviceKey {
        case .deviceKey where stored.hasPIN:
            throw IdentityError(.authentication, .pinRequired, "a PIN guards the profile")
        case .deviceKey: try await signInWithKey(stored, in: .authentication)
        case .pin: try await signInWithPIN(stored, asking: asker)
        case let other: try await signIn(stored, with: other, asking: asker)
        }
    }

    /// Asks for the PIN until it is right, or the provider ends the profile.
    nonisolated func signedInWithPIN<Step: Sendable>(
        _ profile: StoredProfile, asking asker: FlowAsker<Step>,
        _ step: @Sendable (PINChallenge) -> Step
    ) async throws -> UserSession {
        // Who has none is not asked for it.
        _ = try await PINSignIn(system: system, profile: profile)
        var attempts: RemainingAttempts?
        while true {
            let typed = try await ask(profile, attempts, asker, step)
            // Another process may have changed the PIN, or registered anew, while they were typing.
            let now = try await stored(profile.id)
            switch try await PINSignIn(system: system, profile: now).run(typed) {
            case .right(let tokens): return try await signedIn(now, tokens)
            case .wrong(let budget): attempts = budget
            }
        }
    }

    private nonisolated func ask<Step: Sendable>(
        _ profile: StoredProfile, _ attempts: RemainingAttempts?, _ asker: FlowAsker<Step>,
        _ step: @Sendable (PINChallenge) -> Step
    ) async throws -> TypedPIN {
        try await asker.ask { slot in
            step(PINChallenge(profile: profile.shown, attempts: attempts, slot: slot))
        }
    }

    // MARK: Changing the PIN

    /// Has the person choose another PIN. Until the end the old one counts.
    public nonisolated func changePIN(of profile: Profile.ID) -> PINChangeFlow {
        PINChangeFlow(
            runner: FlowRunner(.pinChange) { [self] asker in
                try await IdentityError.surfacing(.pinChange) {
                    let stored = try await stored(profile)
                    guard stored.hasPIN else {
                        throw IdentityError(.pinChange, .pinNotSet, "the profile has no PIN")
                    }
                    return try await wipingWhenEnded(stored) {
                        try await changePIN(of: stored, asking: asker)
                    }
                }
            })
    }

    private nonisolated func changePIN(
        of profile: StoredProfile, asking asker: FlowAsker<PINChangeStep>
    ) async throws -> Profile {
        let policy = try await PINSignIn(system: system, profile: profile).policy()
        var old = try await ask(profile, nil, asker) { .enterPIN($0) }
        let new: TypedPIN = try await asker.ask { slot in
            .createPIN(CreatePINChallenge(policy: policy, slot: slot))
        }
        while true {
            let now = try await stored(profile.id)
            let signIn = try await PINSignIn(system: system, profile: now)
            guard case .wrong(let budget) = try await signIn.change(old, to: new) else {
                return now.shown
            }
            old = try await ask(profile, budget, asker) { .enterPIN($0) }
        }
    }

    /// Runs what a signed end may interrupt, and wipes the profile when one does.
    nonisolated func wipingWhenEnded<Value>(
        _ profile: StoredProfile, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let ended as ProfileEnded {
            try await forget(profile)
            system.hub.send(.profileEnded(profile.id, ended.code))
            throw IdentityError(
                .generic, ended.code, "the provider has ended the profile, and signed that it has")
        }
    }
}
