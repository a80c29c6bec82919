// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The renewal and storage of one session's tokens. Each renewal runs under a lock that all
/// processes with the same store share. A refresh token is sent only while the store contains it,
/// so that a failing store does not sign a person out.
struct TokenRenewal: Sendable {
    /// The profile at the start of the session; see ``currentProfile()``.
    let initial: StoredProfile
    let dependencies: ClientDependencies
    /// `false`: nothing of it is ever written.
    var isPersistent = true
    /// Whether the installation's key renews it behind a PIN as well.
    var isByKeyAlone = false
    let unsaved = UnsavedTokens()
    let refused = RefusedTokens()

    var connection: ProviderConnection { dependencies.connection }
    var clock: any WallClock { connection.clock }
    private var profiles: ProfileStore { dependencies.profiles }
    private var store: any SecureStore { profiles.store }
    private var record: RecordName { ProfileStore.tokens(initial.id) }
    private var room: RecordName { ProfileStore.room(initial.id) }
    /// Bytes that are kept for tokens that are to come: more than any have.
    private static let roomLength = 16_384

    // MARK: Renewing

    /// Returns tokens that are valid for that duration: those of a renewal by another process, or
    /// new ones.
    func renew(
        unlessGoodFor need: TimeSpan, having known: StoredTokens?
    ) async throws -> StoredTokens {
        try await locked {
            let standing = try await self.standing(known)
            guard let tokens = standing.tokens, tokens.isGood(for: need, at: self.clock.now) else {
                return try await self.replace(standing)
            }
            return tokens
        }
    }

    /// Returns new tokens, unless another process has replaced the old ones already.
    func renew(replacing known: StoredTokens?) async throws -> StoredTokens {
        try await locked {
            let standing = try await self.standing(known)
            if let newest = standing.tokens, newest.generation > known?.generation ?? .max,
                newest.isGood(for: .seconds(30), at: self.clock.now)
            {
                return newest
            }
            return try await self.replace(standing)
        }
    }

    private func locked<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard isPersistent else { return try await body() }
        return try await profiles.inSession(of: initial.id, body)
    }

    private func replace(_ standing: TokenStatus) async throws -> StoredTokens {
        let profile = try await currentProfile()
        var new: StoredTokens
        do {
            new = try await obtain(profile, standing, try await dependencies.endpoint(of: profile))
        } catch let error as IdentityError where error.code == .notSignedIn {
            if let tokens = standing.tokens { refused.insert(tokens) }
            throw error
        }
        new.generation = (standing.tokens?.generation ?? 0) + 1
        // They are good, whether or not the store takes them now.
        try? await write(new, overRecord: standing.hasRecord)
        await claim(by: new)
        return new
    }

    private func obtain(
        _ profile: StoredProfile, _ standing: TokenStatus, _ endpoint: TokenEndpointClient
    ) async throws -> StoredTokens {
        // A signed-out person stays signed out until a new sign-in.
        guard let tokens = standing.tokens else {
            throw IdentityError(.authentication, .notSignedIn, "the person is signed out")
        }
        let obstacle = await obstacle(standing)
        if let refreshToken = tokens.refreshToken, obstacle == nil {
            do {
                return try await refresh(refreshToken, tokens, endpoint)
            } catch let refusal as TokenRefusal where refusal.isGrantDead {
                // Revoked, expired or used twice. A key can still sign in.
            }
        }
        guard let keyID = profile.keyID, profile.signsInAlone else {
            if let obstacle { throw IdentityError(store: obstacle) }
            throw IdentityError(
                .authentication, .notSignedIn, "the provider no longer accepts the refresh token")
        }
        do {
            return try await KeySignIn(
                connection: connection, endpoint: endpoint, key: try await profiles.key(of: profile)
            ).run(
                userID: profile.userID, keyID: keyID, scopes: scopes(of: tokens),
                in: .authentication)
        } catch let refusal as TokenRefusal where refusal.isGrantDead {
            throw IdentityError(
                .authentication, .notSignedIn, "the provider no longer accepts the key",
                serverCode: refusal.error.serverCode)
        }
    }

    /// Returns the reason that the refresh token must not be sent now, if there is one.
    ///
    /// Each use revokes the previous token, so the provider may be one step ahead of the store, but
    /// not two. With the key of a bound token, the provider repeats the last step, also for another
    /// process and after a restart. A bearer token that is sent twice is treated as stolen: before
    /// its use, the store must prove with the same record that it can save the result, and must
    /// reserve space for it.
    private func obstacle(_ standing: TokenStatus) async -> (any Error)? {
        if let trouble = standing.trouble { return trouble }
        guard isPersistent, let tokens = standing.tokens, !tokens.isBoundToKey else { return nil }
        do {
            try await store.write(tokens.json, to: record)
            if await !hasRoom() {
                try await store.write([UInt8](repeating: 0, count: Self.roomLength), to: room)
            }
        } catch { return error }
        return nil
    }

    /// The profile as it is now: a new registration has given it another key. While the store
    /// cannot be read, or when its record was damaged since, as it was.
    private func currentProfile() async throws -> StoredProfile {
        do {
            guard var profile = try await profiles.profile(initial.id) else {
                throw Self.removed
            }
            if isByKeyAlone { profile.hasPIN = false }
            return profile
        } catch is StoreError {
            return initial
        } catch let error as IdentityError where error.profile == initial.id { return initial }
    }

    /// The key that the tokens are bound to.
    func tokenKey() async throws -> any StoredKey {
        do { return try await profiles.tokenKey(of: try await currentProfile()) } catch {
            throw IdentityError(surfacing: error, in: .resource)
        }
    }

    /// Returns the scopes of the last sign-in, or those of the configuration.
    private func scopes(of tokens: StoredTokens) -> [String] {
        guard !tokens.scope.isEmpty else { return connection.configuration.scopes }
        return tokens.scope.split(separator: " ").map(String.init)
    }

    private func refresh(
        _ refreshToken: Secret, _ before: StoredTokens, _ endpoint: TokenEndpointClient
    ) async throws -> StoredTokens {
        var tokens = try await endpoint.request(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken.revealText())],
            expecting: .init(subject: initial.userID, before: before.idToken, isRenewal: true),
            in: .authentication)
        // RFC 6749 section 6: without a new one the old one stays.
        tokens.refreshToken = tokens.refreshToken ?? refreshToken
        tokens.idToken = tokens.idToken ?? before.idToken
        if tokens.scope.isEmpty { tokens.scope = before.scope }
        return tokens
    }

    // MARK: Keeping

    /// Returns the active tokens: the stored ones, unless the store has not accepted newer ones,
    /// which are saved again. Tokens that are cached but no longer stored were signed out, perhaps
    /// by another process.
    ///
    /// If the store cannot be read, cached tokens are used; without those, the error is thrown,
    /// because the person may be signed in. A damaged record does not become readable again, and is
    /// replaced.
    private func standing(_ known: StoredTokens?) async throws -> TokenStatus {
        guard isPersistent else { return TokenStatus(tokens: known) }
        let kept: StoredTokens?
        do { kept = try await read() } catch {
            guard let tokens = unsaved.newer(of: known) else { throw error }
            guard case StoreError.damaged = error else {
                return TokenStatus(
                    tokens: tokens, hasRecord: unsaved.coversRecord ?? true, trouble: error)
            }
            return await saved(tokens, overRecord: true)
        }
        guard let newer = unsaved.tokens(after: kept) else {
            return TokenStatus(tokens: kept, hasRecord: kept != nil)
        }
        return await saved(newer, overRecord: kept != nil)
    }

    private func saved(_ tokens: StoredTokens, overRecord: Bool) async -> TokenStatus {
        guard await !isRemoved() else { return TokenStatus() }
        var standing = TokenStatus(tokens: tokens, hasRecord: overRecord)
        do { try await write(tokens, overRecord: overRecord) } catch { standing.trouble = error }
        return standing
    }

    /// Saves the tokens of a sign-in, and returns them with their number. Their person is the one
    /// who signed in last.
    ///
    /// - Throws: ``IdentityError/Code/notRegistered`` if the profile was removed.
    func save(_ tokens: StoredTokens, after known: StoredTokens?) async throws -> StoredTokens {
        try await locked {
            guard await !self.isRemoved() else { throw Self.removed }
            let before = try? await self.standing(known)
            var tokens = tokens
            tokens.generation = (before?.tokens?.generation ?? 0) + 1
            try? await self.write(tokens, overRecord: before?.hasRecord ?? false)
            await self.claim(by: tokens)
            if self.isPersistent { try? await self.profiles.makeCurrent(self.initial.id) }
            return tokens
        }
    }

    /// A profile of before says nothing of its provider: it is of the one whose verified ID token
    /// names its person.
    private func claim(by tokens: StoredTokens) async {
        guard isPersistent, initial.issuer == nil,
            let idToken = tokens.idToken.flatMap({ IDToken($0) }),
            idToken.claim("iss", as: String.self) == profiles.issuer,
            idToken.claim("sub", as: String.self) == initial.userID
        else { return }
        try? await profiles.claim(initial.id)
    }

    /// Whether the profile was removed. If the store cannot be read, the tokens are retained.
    private func isRemoved() async -> Bool {
        guard isPersistent else { return false }
        do { return try await profiles.profile(initial.id) == nil } catch { return false }
    }

    private static let removed = IdentityError(
        .authentication, .notRegistered, "the profile was removed")

    /// Writes the tokens. If the store does not accept them they stay in memory, and the next
    /// renewal writes them.
    private func write(_ tokens: StoredTokens, overRecord: Bool) async throws {
        guard isPersistent else { return }
        unsaved.save(tokens, overRecord: overRecord)
        do { try await store.write(tokens.json, to: record) } catch let error as StoreError {
            // The disk has become full since the check: use the reserved space.
            guard !tokens.isBoundToKey, case .unavailable = error, await hasRoom() else {
                throw error
            }
            try await store.remove(room)
            try await store.write(tokens.json, to: record)
        }
        unsaved.clear()
    }

    private func hasRoom() async -> Bool { (try? await store.read(room)) != nil }

    /// The kept tokens; `nil` when there are none.
    func read() async throws -> StoredTokens? {
        guard let bytes = try await store.read(record) else { return nil }
        guard let tokens = StoredTokens(json: bytes) else {
            throw StoreError.damaged("\(record) is not a set of tokens")
        }
        return tokens
    }

    func deleteTokens() async throws {
        unsaved.clear()
        guard isPersistent else { return }
        let (store, record, room) = (store, record, room)
        try await profiles.inSession(of: initial.id) {
            try await store.remove(record)
            try await store.remove(room)
        }
    }
}
