// SPDX-License-Identifier: Apache-2.0

/// Lists, adds and removes the authenticators of a profile.
struct EnrollmentService: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry

    private var profiles: ProfileStore { dependencies.profiles }
    private var keySignIn: DeviceKeySignIn {
        DeviceKeySignIn(dependencies: dependencies, sessions: sessions)
    }

    // MARK: Listing

    func authenticators(
        of id: Profile.ID, _ filter: AuthenticatorFilter
    ) async throws -> [Authenticator] {
        try await IdentityError.surfacing(.authentication) {
            let registered = try await profiles.existingProfile(id).authenticatorsInOrder
            if filter == .registered { return registered }
            return await dependencies.availableAuthenticators.filter { !registered.contains($0) }
        }
    }

    func setPreferred(_ authenticator: Authenticator, for id: Profile.ID) async throws {
        try await IdentityError.surfacing(.authentication) {
            _ = try await profiles.update(id) { profile in
                guard profile.authenticatorsInOrder.contains(authenticator) else {
                    throw IdentityError(
                        .authentication, .authenticatorNotRegistered,
                        "the profile has no authenticator \(authenticator)")
                }
                profile.preferred = authenticator.description
            }
        }
    }

    // MARK: Adding

    func enroll(
        _ authenticator: Authenticator, for id: Profile.ID,
        with prompter: FlowPrompter<EnrollmentStep>
    ) async throws -> Profile {
        let profile = try await profiles.existingProfile(id)
        guard !profile.authenticatorsInOrder.contains(authenticator) else {
            throw IdentityError(
                .authenticatorRegistration, .alreadyRegistered, "the profile has that authenticator"
            )
        }
        let removal = ProfileRemoval(dependencies: dependencies, sessions: sessions)
        return try await removal.removingIfEnded(profile) {
            if authenticator == .passkey { return try await enrollPasskey(profile, prompter) }
            let verifier = try await dependencies.availableVerifier(
                authenticator, in: .authenticatorRegistration)
            return try await enroll(verifier, profile, prompter)
        }
    }

    private func enroll(
        _ verifier: any UserVerifier, _ profile: StoredProfile,
        _ prompter: FlowPrompter<EnrollmentStep>
    ) async throws -> Profile {
        let requests = AuthenticatorRequests(
            connection: dependencies.connection,
            session: try await verifiedSession(of: profile, prompter))
        try await requests.removeStrays(except: profile.authenticators)
        let prompt = try await prompt(profile, verifier.authenticator, prompter)
        guard let kind = verifier.authenticator.kind else { throw CancellationError() }
        let name = RecordName("key", profiles.newName())
        do {
            return try await PendingKeys(dependencies).whileMaking(name, with: verifier) {
                let key = VerifiedKey(
                    verifier: verifier, name: name, prompt: prompt,
                    publicKey: try await verifier.makeKey(name))
                let added = try await requests.add(kind, key)
                return try await profiles.update(profile.id) { $0.authenticators.append(added) }
                    .publicProfile
            }
        } catch {
            throw UserVerificationError.surfaced(
                error, of: verifier.authenticator, in: .authenticatorRegistration)
        }
    }

    /// Adds a passkey. The person enters the PIN, or has signed in with a browser. The sign-in key
    /// does not suffice, because it signs without the person.
    private func enrollPasskey(
        _ profile: StoredProfile, _ prompter: FlowPrompter<EnrollmentStep>
    ) async throws -> Profile {
        let requests = try await dependencies.passkeyRequests(in: .authenticatorRegistration)
        let session =
            profile.hasPIN
            ? try await verifiedSession(of: profile, prompter)
            : try await sessions.session(for: profile.id)
        _ = try await prompt(profile, .passkey, prompter)
        let added = try await UserVerificationError.surfacing(.authenticatorRegistration) {
            try await requests.add(by: session, unlessDone: profile.unfinishedPasskey) { created in
                _ = try await profiles.update(profile.id) { $0.unfinishedPasskey = created }
            }
        }
        return try await profiles.update(profile.id) {
            $0.authenticators.append(added)
            $0.unfinishedPasskey = nil
        }.publicProfile
    }

    private func prompt(
        _ profile: StoredProfile, _ authenticator: Authenticator,
        _ prompter: FlowPrompter<EnrollmentStep>
    ) async throws -> String {
        let answer = try await prompter.prompt { continuation in
            EnrollmentStep.authenticator(
                AuthenticatorChallenge(
                    profile.publicProfile, authenticator, offersPIN: false,
                    continuation: continuation))
        }
        guard case .prompt(let prompt) = answer else { throw CancellationError() }
        return prompt
    }

    /// Returns a session of a person who has just authenticated, with the PIN if there is one.
    private func verifiedSession(
        of profile: StoredProfile, _ prompter: FlowPrompter<EnrollmentStep>
    ) async throws -> UserSession {
        guard profile.hasPIN else {
            return try await keySignIn.signIn(profile, in: .authenticatorRegistration)
        }
        return try await PINPrompts(dependencies: dependencies, sessions: sessions)
            .signIn(profile, with: prompter) { .enterPIN($0) }
    }

    // MARK: Removing

    func unenroll(_ authenticator: Authenticator, for id: Profile.ID) async throws -> RemovalOutcome
    {
        let domain = IdentityError.Domain.authenticatorDeregistration
        return try await IdentityError.surfacing(domain) {
            guard authenticator.kind != nil else {
                throw IdentityError(
                    domain, .pinCannotBeRemoved, "it is removed together with the profile")
            }
            let profile = try await profiles.existingProfile(id)
            guard let known = profile.stored(authenticator) else {
                throw IdentityError(
                    domain, .authenticatorNotRegistered,
                    "the profile has no authenticator \(authenticator)")
            }
            if authenticator == .passkey { return try await unenrollPasskey(known, profile) }
            let outcome = await RemovalOutcome(notifyingIn: domain) {
                try await AuthenticatorRequests(
                    connection: dependencies.connection, session: try await session(of: profile)
                ).remove(known.id)
            }
            try await dependencies.verifier(authenticator)?.removeKey(known.key)
            try await profiles.update(id) { $0.remove(known) }
            return outcome
        }
    }

    /// Removes a passkey. The provider must agree: it refuses to remove a person's only sign-in
    /// method for its pages.
    private func unenrollPasskey(
        _ known: StoredAuthenticator, _ profile: StoredProfile
    ) async throws -> RemovalOutcome {
        try await PasskeyRequests.remove(known.id, by: try await session(of: profile))
        try await profiles.update(profile.id) { $0.remove(known) }
        return .complete
    }

    private func session(of profile: StoredProfile) async throws -> UserSession {
        try await keySignIn.session(of: profile, in: .deregistration)
    }
}
