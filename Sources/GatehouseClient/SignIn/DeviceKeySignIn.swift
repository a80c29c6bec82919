// SPDX-License-Identifier: Apache-2.0
import AppRegistration

/// Signs a person in with the sign-in key of the installation, without a prompt.
struct DeviceKeySignIn: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry

    /// - Parameters:
    ///   - scopes: With `nil` those of the configuration.
    ///   - challenge: A nonce that the provider has sent in advance; `nil` requests one.
    /// - Throws: ``IdentityError/Code/authenticatorNotRegistered``, and `TokenRefusal` if the
    ///   provider refuses the key.
    func signIn(
        _ profile: StoredProfile, scopes: [String]? = nil, challenge: ServerChallenge? = nil,
        in domain: IdentityError.Domain
    ) async throws -> UserSession {
        let tokens = try await tokens(
            of: profile, scopes: scopes ?? dependencies.configuration.scopes,
            challenge: challenge, in: domain)
        return try await sessions.signIn(profile, with: tokens)
    }

    private func tokens(
        of profile: StoredProfile, scopes: [String], challenge: ServerChallenge? = nil,
        in domain: IdentityError.Domain
    ) async throws -> StoredTokens {
        guard let keyID = profile.keyID else {
            throw IdentityError(
                domain, .authenticatorNotRegistered, "the profile has no registered key")
        }
        return try await KeySignIn(
            connection: dependencies.connection,
            endpoint: try await dependencies.endpoint(of: profile),
            key: try await dependencies.profiles.key(of: profile)
        ).run(
            userID: profile.userID, keyID: keyID, scopes: scopes, challenge: challenge, in: domain)
    }

    /// Returns the session of a profile; signs the person in for it if the key may do that alone.
    func session(
        of profile: StoredProfile, in domain: IdentityError.Domain
    ) async throws -> UserSession {
        do {
            return try await sessions.session(for: profile.id)
        } catch let error as IdentityError where error.code == .notSignedIn {
            guard profile.signsInAlone else { throw error }
            return try await signIn(profile, in: domain)
        }
    }

    /// Returns a session that is not stored, with the scopes that the project grants to the key
    /// alone.
    func implicitSession(of profile: StoredProfile, scopes: [String]) async throws -> UserSession {
        do {
            let tokens = try await tokens(of: profile, scopes: scopes, in: .authentication)
            // The key renews it, also if the profile has a PIN.
            var keyAlone = profile
            keyAlone.hasPIN = false
            let renewal = TokenRenewal(
                initial: keyAlone, dependencies: dependencies, isPersistent: false,
                isByKeyAlone: true)
            return UserSession(
                profile: profile, tokens: tokens, renewal: renewal, events: EventBroadcaster())
        } catch let refusal as TokenRefusal where refusal.isGrantDead && profile.hasPIN {
            throw IdentityError(
                .authentication, .pinRequired,
                "the project does not grant these scopes to the key alone",
                serverCode: refusal.error.serverCode)
        }
    }
}
