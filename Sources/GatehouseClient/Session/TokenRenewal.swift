// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

/// How one session's tokens are renewed and kept. Every renewal runs under a lock that all
/// processes with the same store share, so that a refresh token is used once.
struct TokenRenewal: Sendable {
    /// As it was when the session began; see ``currentProfile()``.
    let initial: StoredProfile
    let connection: ProviderConnection
    let book: ProfileBook
    /// `false`: nothing of it is ever written.
    let isKept: Bool
    /// Tokens that the store would not take. They are the only living ones: see ``keep(_:)``.
    let unsaved = UnsavedTokens()

    var clock: any WallClock { connection.clock }
    private var store: any CredentialStore { book.store }
    private var record: RecordName { ProfileBook.tokens(initial.id) }

    // MARK: Renewing

    /// Tokens that are good for that long: those that somebody else has renewed meanwhile, or new
    /// ones.
    func renew(
        unlessGoodFor need: TimeSpan, having known: StoredTokens?
    ) async throws -> StoredTokens {
        try await locked {
            let newest = try await self.newest(known)
            guard let newest, newest.isGood(for: need, at: self.clock.now) else {
                return try await self.replace(newest)
            }
            if self.unsaved.tokens == newest { try? await self.write(newest) }
            return newest
        }
    }

    /// New tokens, unless somebody else has replaced those already.
    func renew(replacing known: StoredTokens?) async throws -> StoredTokens {
        try await locked {
            let newest = try await self.newest(known)
            if let newest, newest.generation > known?.generation ?? .max,
                newest.isGood(for: .seconds(30), at: self.clock.now)
            {
                return newest
            }
            return try await self.replace(newest)
        }
    }

    private func locked<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard isKept else { return try await body() }
        return try await store.withLock(ProfileBook.sessionLock(initial.id), body)
    }

    /// The living tokens: those that are kept, unless the store would not take newer ones. What is
    /// known here and kept no longer was signed out, perhaps by another process, and lives no more.
    ///
    /// A store that cannot be read now hides nothing that is known; where nothing is, that is what
    /// went wrong, not that nobody is signed in.
    private func newest(_ known: StoredTokens?) async throws -> StoredTokens? {
        guard isKept else { return known }
        let others: [StoredTokens?]
        do { others = [try await read()] } catch {
            guard known != nil || unsaved.tokens != nil else { throw error }
            others = [known]
        }
        return (others + [unsaved.tokens]).compactMap { $0 }
            .max { $0.generation < $1.generation }
    }

    private func replace(_ tokens: StoredTokens?) async throws -> StoredTokens {
        let profile = try await currentProfile()
        let endpoint = TokenEndpoint(
            connection: connection, key: try await book.tokenKey(of: profile))
        var new = try await obtain(profile, tokens, endpoint)
        new.generation = (tokens?.generation ?? 0) + 1
        // They are good, whether or not the store takes them now.
        try? await write(new)
        return new
    }

    private func obtain(
        _ profile: StoredProfile, _ tokens: StoredTokens?, _ endpoint: TokenEndpoint
    ) async throws -> StoredTokens {
        // Whoever was signed out stays so until they, or the app for them, sign in.
        guard let tokens else {
            throw IdentityError(.authentication, .notSignedIn, "they are signed out")
        }
        if let refreshToken = tokens.refreshToken {
            do {
                return try await refresh(refreshToken, tokens, endpoint)
            } catch let refusal as TokenRefusal where refusal.isGrantDead {
                // Revoked, expired or used twice. A key can still sign in.
            }
        }
        guard let keyID = profile.keyID, profile.signsInAlone else {
            throw IdentityError(
                .authentication, .notSignedIn, "the provider takes the refresh token no longer")
        }
        do {
            return try await KeySignIn(
                connection: connection, endpoint: endpoint, key: try await book.key(of: profile)
            ).run(
                userID: profile.userID, keyID: keyID, scopes: scopes(of: tokens),
                in: .authentication)
        } catch let refusal as TokenRefusal where refusal.isGrantDead {
            throw IdentityError(
                .authentication, .notSignedIn, "the provider takes the key no longer",
                serverCode: refusal.error.serverCode)
        }
    }

    /// The profile as it is now: a new registration has given it another key. While the store
    /// cannot be read, as it was.
    private func currentProfile() async throws -> StoredProfile {
        guard isKept else { return initial }
        do {
            guard let profile = try await book.profile(initial.id) else {
                throw IdentityError(.authentication, .notRegistered, "the profile was removed")
            }
            return profile
        } catch is StoreError { return initial }
    }

    /// What the tokens are bound to.
    func tokenKey() async throws -> any SigningKey {
        do { return try await book.tokenKey(of: try await currentProfile()) } catch {
            throw IdentityError(surfacing: error, in: .resource)
        }
    }

    /// What was granted at the last sign-in, or what the app usually asks for.
    private func scopes(of tokens: StoredTokens) -> [String] {
        guard !tokens.scope.isEmpty else { return connection.configuration.scopes }
        return tokens.scope.split(separator: " ").map(String.init)
    }

    private func refresh(
        _ refreshToken: Secret, _ before: StoredTokens, _ endpoint: TokenEndpoint
    ) async throws -> StoredTokens {
        var tokens = try await endpoint.request(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken.revealText())],
            expecting: .init(subject: initial.userID, isRenewal: true), in: .authentication)
        // RFC 6749 section 6: without a new one the old one stays.
        tokens.refreshToken = tokens.refreshToken ?? refreshToken
        tokens.idToken = tokens.idToken ?? before.idToken
        if tokens.scope.isEmpty { tokens.scope = before.scope }
        return tokens
    }

    // MARK: Keeping

    /// Keeps what a sign-in gave, and says what it is with its number.
    func keep(_ tokens: StoredTokens, after known: StoredTokens?) async throws -> StoredTokens {
        try await locked {
            let before = try? await self.newest(known)
            var tokens = tokens
            tokens.generation = (before?.generation ?? 0) + 1
            try? await self.write(tokens)
            return tokens
        }
    }

    /// Writes the tokens. When the store does not take them they stay in memory, and are written
    /// when somebody next asks for one.
    private func write(_ tokens: StoredTokens) async throws {
        guard isKept else { return }
        unsaved.tokens = tokens
        try await store.write(tokens.json, to: record)
        unsaved.tokens = nil
    }

    /// The kept tokens; `nil` when there are none.
    func read() async throws -> StoredTokens? {
        guard let bytes = try await store.read(record) else { return nil }
        guard let tokens = StoredTokens(json: bytes) else {
            throw StoreError.damaged("\(record) is not a set of tokens")
        }
        return tokens
    }

    func forget() async throws {
        unsaved.tokens = nil
        guard isKept else { return }
        let (store, record) = (store, record)
        try await store.withLock(ProfileBook.sessionLock(initial.id)) {
            try await store.remove(record)
        }
    }
}

/// Tokens that the store would not take.
final class UnsavedTokens: Sendable {
    private let state = Mutex<StoredTokens?>(nil)

    var tokens: StoredTokens? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
