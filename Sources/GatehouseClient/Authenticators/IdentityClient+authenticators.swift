// SPDX-License-Identifier: Apache-2.0
import PIN
import Primitives

extension IdentityClient {
    /// What can show that it is the person: those with which the profile can sign in, the
    /// preferred one first, or those that could be added.
    public nonisolated func authenticators(
        of profile: Profile.ID, _ filter: AuthenticatorFilter = .registered
    ) async throws -> [Authenticator] {
        try await IdentityError.surfacing(.authentication) {
            let stored = try await stored(profile)
            switch filter {
            case .registered: return stored.authenticatorsInOrder
            case .available:
                var found: [Authenticator] = []
                for verifier in system.verifiers
                where !stored.authenticatorsInOrder.contains(verifier.authenticator) {
                    if await verifier.isAvailable { found.append(verifier.authenticator) }
                }
                if let passkeys = system.passkeys, await passkeys.isAvailable,
                    !stored.authenticatorsInOrder.contains(.passkey)
                {
                    found.append(.passkey)
                }
                return found
            }
        }
    }

    /// Has `authenticate(_:)` begin with that one. Without a choice it is the PIN, or the key.
    ///
    /// - Throws: ``IdentityError/Code/authenticatorNotRegistered``.
    public nonisolated func setPreferred(
        _ authenticator: Authenticator, for profile: Profile.ID
    ) async throws {
        try await IdentityError.surfacing(.authentication) {
            _ = try await change(profile) { stored in
                guard stored.authenticatorsInOrder.contains(authenticator) else {
                    throw IdentityError(
                        .authentication, .authenticatorNotRegistered,
                        "the profile has no authenticator \(authenticator)")
                }
                stored.preferred = authenticator.description
            }
        }
    }

    // MARK: Adding

    /// Adds an authenticator to a profile: the person shows themselves as they do now, with their
    /// PIN where there is one, and then with the new authenticator, whose key is registered.
    ///
    /// - Throws: The flow throws ``IdentityError`` of the domain `authenticatorRegistration`:
    ///   ``IdentityError/Code/methodNotSupported`` when the client has no such verifier or it cannot
    ///   be used here, ``IdentityError/Code/authenticatorNotOffered`` when the project does not want
    ///   it, ``IdentityError/Code/alreadyRegistered``.
    public nonisolated func enroll(
        _ authenticator: Authenticator, for profile: Profile.ID
    ) -> EnrollmentFlow {
        EnrollmentFlow(
            runner: FlowRunner(.authenticatorRegistration) { [self] asker in
                try await IdentityError.surfacing(.authenticatorRegistration) {
                    let stored = try await stored(profile)
                    guard !stored.authenticatorsInOrder.contains(authenticator) else {
                        throw IdentityError(
                            .authenticatorRegistration, .alreadyRegistered,
                            "the profile has that authenticator")
                    }
                    return try await wipingWhenEnded(stored) {
                        if authenticator == .passkey {
                            return try await enrollPasskey(stored, asking: asker)
                        }
                        let verifier = try await usableVerifier(
                            authenticator, in: .authenticatorRegistration)
                        return try await enroll(verifier, stored, asking: asker)
                    }
                }
            })
    }

    private nonisolated func enroll(
        _ verifier: any UserVerifier, _ stored: StoredProfile,
        asking asker: FlowAsker<EnrollmentStep>
    ) async throws -> Profile {
        let requests = AuthenticatorRequests(
            connection: system.connection, session: try await shown(stored, asking: asker))
        try await requests.removeStrays(besides: stored.authenticators)
        let answer = try await asker.ask { slot in
            EnrollmentStep.authenticator(
                AuthenticatorChallenge(
                    stored.shown, verifier.authenticator, offersPIN: false, slot: slot))
        }
        guard case .prompt(let prompt) = answer, let kind = verifier.authenticator.kind else {
            throw CancellationError()
        }
        let name = RecordName("key", system.book.newName())
        do {
            return try await PendingKeys(system).whileMaking(name, with: verifier) {
                let key = VerifiedKey(
                    verifier: verifier, name: name, prompt: prompt,
                    publicKey: try await verifier.makeKey(name))
                let made = try await requests.add(kind, key)
                return try await change(stored.id) { $0.authenticators.append(made) }.shown
            }
        } catch {
            throw Self.error(error, of: verifier, in: .authenticatorRegistration)
        }
    }

    /// A session of somebody who has just shown themselves, as strongly as they can.
    nonisolated func shown(
        _ profile: StoredProfile, asking asker: FlowAsker<EnrollmentStep>
    ) async throws -> UserSession {
        guard profile.hasPIN else {
            return try await signInWithKey(profile, in: .authenticatorRegistration)
        }
        return try await signedInWithPIN(profile, asking: asker) { .enterPIN($0) }
    }

    // MARK: Removing

    /// Removes an authenticator from a profile, at the provider and here.
    ///
    /// - Throws: ``IdentityError/Code/pinCannotBeRemoved`` for the PIN and the key that an
    ///   installation comes with, and ``IdentityError/Code/authenticatorNotRegistered``.
    @discardableResult
    public func unenroll(
        _ authenticator: Authenticator, for profile: Profile.ID
    ) async throws -> RemovalOutcome {
        let domain = IdentityError.Domain.authenticatorDeregistration
        return try await IdentityError.surfacing(domain) {
            guard authenticator.kind != nil else {
                throw IdentityError(domain, .pinCannotBeRemoved, "it goes with the profile")
            }
            let stored = try await stored(profile)
            guard
                let known = stored.authenticators.first(where: {
                    $0.authenticator == authenticator
                })
            else {
                throw IdentityError(
                    domain, .authenticatorNotRegistered,
                    "the profile has no authenticator \(authenticator)")
            }
            guard authenticator != .passkey else {
                return try await unenrollPasskey(stored, known)
            }
            let outcome = await tell(domain) {
                try await AuthenticatorRequests(
                    connection: self.system.connection,
                    session: try await self.sessionToLeave(stored)
                ).remove(known.id)
            }
            try await system.verifier(authenticator)?.removeKey(known.key)
            try await change(profile) { $0.forget(known) }
            return outcome
        }
    }

    // MARK: Signing in

    /// Signs in with a further authenticator, or with the PIN when the person would rather.
    nonisolated func signIn(
        _ profile: StoredProfile, with authenticator: Authenticator,
        asking asker: FlowAsker<AuthenticationStep>
    ) async throws -> UserSession {
        guard
            let known = profile.authenticators.first(where: {
                $0.authenticator == authenticator
            })
        else {
            throw IdentityError(
                .authentication, .authenticatorNotRegistered,
                "the profile has no authenticator \(authenticator)")
        }
        let verifier: (any UserVerifier)? =
            authenticator == .passkey
            ? nil : try await usableVerifier(authenticator, in: .authentication)
        let answer = try await asker.ask { slot in
            AuthenticationStep.authenticator(
                AuthenticatorChallenge(
                    profile.shown, authenticator, offersPIN: profile.hasPIN, slot: slot))
        }
        guard case .prompt(let prompt) = answer else {
            return try await signInWithPIN(profile, asking: asker)
        }
        guard let verifier else { return try await signInWithPasskey(profile, known) }
        do {
            return try await signIn(profile, known, verifier, prompt)
        } catch UserVerificationError.wantsPIN where profile.hasPIN {
            return try await signInWithPIN(profile, asking: asker)
        } catch {
            throw Self.error(error, of: verifier, in: .authentication)
        }
    }

    private nonisolated func signIn(
        _ profile: StoredProfile, _ known: StoredAuthenticator, _ verifier: any UserVerifier,
        _ prompt: String
    ) async throws -> UserSession {
        let tokenKey = try await system.book.tokenKey(of: profile)
        let key = VerifiedKey(
            verifier: verifier, name: known.key, prompt: prompt, publicKey: tokenKey.publicKey)
        do {
            let tokens = try await KeySignIn(
                connection: system.connection,
                endpoint: TokenEndpointClient(connection: system.connection, key: tokenKey),
                key: key
            ).run(
                userID: profile.userID, keyID: known.keyID,
                scopes: system.configuration.scopes, in: .authentication)
            return try await signedIn(profile, tokens)
        } catch let refusal as TokenRefusal where refusal.isGrantDead {
            throw IdentityError(
                .authentication, .authenticatorDeregistered,
                "the provider takes that authenticator no longer",
                serverCode: refusal.error.serverCode)
        }
    }

    nonisolated func signInWithPIN(
        _ profile: StoredProfile, asking asker: FlowAsker<AuthenticationStep>
    ) async throws -> UserSession {
        try await signedInWithPIN(profile, asking: asker) { .enterPIN($0) }
    }

    // MARK: Parts

    private nonisolated func usableVerifier(
        _ authenticator: Authenticator, in domain: IdentityError.Domain
    ) async throws -> any UserVerifier {
        guard let verifier = system.verifier(authenticator), await verifier.isAvailable else {
            throw IdentityError(
                domain, .methodNotSupported, "\(authenticator) cannot be used on this device")
        }
        return verifier
    }

    /// Changes the record of a profile, as it is now.
    @discardableResult
    nonisolated func change(
        _ id: Profile.ID, _ change: @escaping @Sendable (inout StoredProfile) throws -> Void
    ) async throws -> StoredProfile {
        let system = system
        return try await system.book.inSession(of: id) {
            guard var stored = try await system.book.profile(id) else {
                throw IdentityError(.authentication, .notRegistered, "no such profile is here")
            }
            try change(&stored)
            try await system.book.save(stored)
            return stored
        }
    }

    /// A verifier's "no", in our words.
    private static func error(
        _ error: any Error, of verifier: any UserVerifier, in domain: IdentityError.Domain
    ) -> any Error {
        guard let failure = error as? UserVerificationError else { return error }
        return switch failure {
        case .cancelled: IdentityError(domain, .cancelled, "the person has ended it")
        case .wantsPIN:
            IdentityError(domain, .cancelled, "the person would rather enter a PIN")
        case .failed(let text):
            IdentityError(
                domain,
                verifier.authenticator == .biometric ? .biometricFailed : .authenticatorFailed,
                text)
        case .invalidated:
            IdentityError(
                domain, .authenticatorInvalid,
                "its key is gone from the device: remove it, and add it again")
        }
    }
}
