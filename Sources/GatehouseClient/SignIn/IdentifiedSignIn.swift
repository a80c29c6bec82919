// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import UserClient

/// A sign-in in which the provider identifies the person: by a browser, a credential or a passkey.
///
/// Their tokens are bound to a new key. A profile is created unless the person has one.
struct IdentifiedSignIn: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry
    /// Whether the profile and its tokens are stored.
    var persistence = IdentityClient.Persistence.kept

    private var profiles: ProfileStore { dependencies.profiles }

    /// Creates a key, requests tokens that are bound to it, and starts a session with them.
    func run(
        _ method: RegistrationMethod,
        tokens: @Sendable (TokenEndpointClient) async throws -> StoredTokens
    ) async throws -> RegistrationOutcome {
        let keyName = RecordName("key", profiles.newName())
        return try await PendingKeys(dependencies).whileMaking(keyName) {
            let key = try await profiles.keys.makeKey(keyName)
            let tokens = try await tokens(
                TokenEndpointClient(connection: dependencies.connection, key: key))
            return try await start(tokens, keyName, method)
        }
    }

    private func start(
        _ tokens: StoredTokens, _ keyName: RecordName, _ method: RegistrationMethod
    ) async throws -> RegistrationOutcome {
        guard let idToken = tokens.idToken.flatMap({ IDToken($0) }),
            let userID = idToken.claim("sub", as: String.self)
        else {
            throw ProviderConnection.invalid(
                "the tokens do not name a person: request the scope openid")
        }
        guard let earlier = try await profiles.profile(ofUser: userID) else {
            let profile = try await insertProfile(userID, idToken, tokens, keyName, method)
            let session = try await startSession(profile, tokens)
            return RegistrationOutcome(
                profile: profile.publicProfile, session: session, isNewProfile: true)
        }
        let (profile, replaced) = try await bind(tokens, to: keyName, of: earlier)
        let session: UserSession
        do { session = try await startSession(profile, tokens) } catch {
            await unbind(keyName, for: replaced, of: earlier)
            throw error
        }
        // Last: a key exists as long as a record names it.
        if let replaced { await profiles.discard(replaced) }
        await profiles.discard(keyName)
        return RegistrationOutcome(
            profile: profile.publicProfile, session: session, isNewProfile: false)
    }

    private func insertProfile(
        _ userID: String, _ idToken: IDToken, _ tokens: StoredTokens, _ keyName: RecordName,
        _ method: RegistrationMethod
    ) async throws -> StoredProfile {
        let username = await username(of: userID, in: idToken, by: tokens, key: keyName)
        // The request for the username ignores errors, but not a cancelled task.
        try Task.checkCancellation()
        let profile = StoredProfile(
            id: Profile.ID(rawValue: profiles.newName()), issuer: profiles.issuer,
            userID: userID, username: username, registeredAt: dependencies.clock.now,
            method: method.rawValue, key: keyName)
        try await profiles.save(profile)
        return profile
    }

    private func startSession(
        _ profile: StoredProfile, _ tokens: StoredTokens
    ) async throws -> UserSession {
        if persistence == .kept { return try await sessions.signIn(profile, with: tokens) }
        let renewal = TokenRenewal(
            initial: profile, dependencies: dependencies, isPersistent: false)
        return UserSession(
            profile: profile, tokens: tokens, renewal: renewal, events: dependencies.events)
    }

    // MARK: Binding

    /// Saves the key that the tokens are bound to: it renews them. The sign-in key of the profile
    /// does not change.
    ///
    /// - Returns: The profile, and the key that its tokens were bound to before.
    private func bind(
        _ tokens: StoredTokens, to key: RecordName, of profile: StoredProfile
    ) async throws -> (StoredProfile, replaced: RecordName?) {
        try await profiles.inSession(of: profile.id) {
            guard var profile = try await profiles.profile(profile.id) else {
                throw IdentityError(
                    .authentication, .notRegistered,
                    "the profile was removed during the sign-in")
            }
            let replaced = profile.tokenKey
            if tokens.isBoundToKey { profile.tokenKey = key }
            // The provider has just identified the person.
            profile.issuer = profiles.issuer
            try await profiles.save(profile)
            return (profile, replaced)
        }
    }

    /// Reverts ``bind(_:to:of:)`` unless another sign-in has followed: the stored tokens are still
    /// the earlier ones, with their own key. Runs also in a cancelled task, which could not wait for
    /// the lock.
    private func unbind(
        _ key: RecordName, for replaced: RecordName?, of earlier: StoredProfile
    ) async {
        let work = Task {
            try await profiles.inSession(of: earlier.id) {
                guard var profile = try await profiles.profile(earlier.id),
                    profile.tokenKey == key
                else { return }
                profile.tokenKey = replaced
                try await profiles.save(profile)
            }
        }
        _ = await work.result
    }

    // MARK: The username

    /// Returns the person's username, from the ID token or the UserInfo endpoint (OpenID Connect
    /// Core 1.0 section 5.3). If the endpoint does not respond it is the identifier: the name is
    /// only displayed.
    private func username(
        of userID: String, in idToken: IDToken, by tokens: StoredTokens, key name: RecordName
    ) async -> String {
        if let claim = idToken.claim("preferred_username", as: String.self) { return claim }
        let connection = dependencies.connection
        let presentation = TokenPresentation(connection: connection) {
            guard let key = try await profiles.keys.key(name) else {
                throw StoreError.damaged("the key \(name) is missing")
            }
            return key
        }
        // Section 5.3.2: a response with another `sub` must not be used.
        guard let url = try? await connection.knownDocuments().directory.userInfo,
            let response = try? await presentation.send(ResourceRequest(url), with: tokens),
            response.status == 200, let claims = try? ProviderConnection.object(response),
            claims["sub"]?.string == userID
        else { return userID }
        return claims["preferred_username"]?.string ?? userID
    }
}
