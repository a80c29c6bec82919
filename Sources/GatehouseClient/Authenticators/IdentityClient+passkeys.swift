// SPDX-License-Identifier: Apache-2.0

extension IdentityClient {
    /// Adds a passkey: the person shows themselves with their PIN, or has just signed in in a
    /// browser, and then shows themselves to the system. A key that signs unasked shows nobody.
    nonisolated func enrollPasskey(
        _ stored: StoredProfile, asking asker: FlowAsker<EnrollmentStep>
    ) async throws -> Profile {
        let requests = try await passkeyRequests(in: .authenticatorRegistration)
        let session =
            stored.hasPIN
            ? try await shown(stored, asking: asker) : try await self.session(for: stored.id)
        let answer = try await asker.ask { slot in
            EnrollmentStep.authenticator(
                AuthenticatorChallenge(stored.shown, .passkey, offersPIN: false, slot: slot))
        }
        guard case .prompt = answer else { throw CancellationError() }
        let made = try await Self.inOurWords(.authenticatorRegistration) {
            try await requests.add(by: session, unlessDone: stored.unfinishedPasskey) { made in
                _ = try await change(stored.id) { $0.unfinishedPasskey = made }
            }
        }
        return try await change(stored.id) {
            $0.authenticators.append(made)
            $0.unfinishedPasskey = nil
        }.shown
    }

    /// Signs in whoever has a passkey here: the system lets them choose.
    nonisolated func signInWithPasskey() async throws -> UserSession {
        let (requests, scopes) = (
            try await passkeyRequests(in: .authentication), system.configuration.scopes
        )
        let form = try await Self.inOurWords(.authentication) {
            try await requests.signInForm(allowing: [], scopes: scopes)
        }
        return try await entered(by: RegistrationMethod(rawValue: Authenticator.passkeyKind)) {
            try await $0.request(form, in: .authentication)
        }
    }

    /// Signs that person in, with a passkey of theirs.
    nonisolated func signInWithPasskey(
        _ profile: StoredProfile, _ known: StoredAuthenticator
    ) async throws -> UserSession {
        let requests = try await passkeyRequests(in: .authentication)
        let form = try await Self.inOurWords(.authentication) {
            try await requests.signInForm(
                allowing: [known.keyID], scopes: system.configuration.scopes)
        }
        let endpoint = TokenEndpointClient(
            connection: system.connection, key: try await system.book.tokenKey(of: profile))
        do {
            let tokens = try await endpoint.request(
                form, expecting: .init(subject: profile.userID), in: .authentication)
            return try await signedIn(profile, tokens)
        } catch let refusal as TokenRefusal
            where refusal.error.code == .authenticatorNotRegistered
        {
            throw IdentityError(
                .authentication, .authenticatorDeregistered,
                "the provider knows that passkey no longer", serverCode: refusal.error.serverCode)
        }
    }

    /// Takes a passkey from the person. There is no half of it: the provider must agree, and it lets
    /// nobody lose their last way in to its pages.
    nonisolated func unenrollPasskey(
        _ profile: StoredProfile, _ known: StoredAuthenticator
    ) async throws -> RemovalOutcome {
        let session = try await sessionToLeave(profile)
        try await PasskeyRequests.remove(known.id, by: session)
        try await change(profile.id) { $0.forget(known) }
        return .complete
    }

    private nonisolated func passkeyRequests(
        in domain: IdentityError.Domain
    ) async throws -> PasskeyRequests {
        guard let passkeys = system.passkeys, await passkeys.isAvailable else {
            throw IdentityError(domain, .methodNotSupported, "there are no passkeys here")
        }
        return PasskeyRequests(connection: system.connection, passkeys: passkeys)
    }

    /// What the system says of a passkey, as one of ours.
    private static func inOurWords<Value>(
        _ domain: IdentityError.Domain, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let failure as UserVerificationError {
            throw switch failure {
            case .cancelled, .wantsPIN:
                IdentityError(domain, .cancelled, "the person has ended it")
            case .failed(let text): IdentityError(domain, .authenticatorFailed, text)
            case .invalidated:
                IdentityError(
                    domain, .authenticatorInvalid,
                    "the passkey is not on this device, or one is there already")
            }
        }
    }
}
