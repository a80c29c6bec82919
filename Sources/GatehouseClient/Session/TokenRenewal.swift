// SPDX-License-Identifier: Apache-2.0
import Primitives

/// How one session's tokens are renewed and kept. Every renewal runs under a lock that all
/// processes with the same store share, and a refresh token is shown to the provider only while the
/// store holds it: whatever a store fails to do, nobody is signed out by it.
struct TokenRenewal: Sendable {
    /// As it was when the session began; see ``currentProfile()``.
    let initial: StoredProfile
    let system: ClientDependencies
    /// `false`: nothing of it is ever written.
    var isKept = true
    /// Whether the installation's key renews it behind a PIN as well.
    var isByKeyAlone = false
    let unsaved = UnsavedTokens()
    let refused = RefusedTokens()

    var connection: ProviderConnection { system.connection }
    var clock: any WallClock { connection.clock }
    private var book: ProfileStore { system.book }
    private var store: any SecureStore { book.store }
    private var record: RecordName { ProfileStore.tokens(initial.id) }
    private var room: RecordName { ProfileStore.room(initial.id) }
    /// Bytes that are kept for tokens that are to come: more than any have.
    private static let roomLength = 16_384

    // MARK: Renewing

    /// Tokens that are good for that long: those that somebody else has renewed meanwhile, or new
    /// ones.
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

    /// New tokens, unless somebody else has replaced those already.
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
        guard isKept else { return try await body() }
        return try await book.inSession(of: initial.id, body)
    }

    private func replace(_ standing: TokenStatus) async throws -> StoredTokens {
        let profile = try await currentProfile()
        var new: StoredTokens
        do {
            new = try await obtain(profile, standing, try await system.endpoint(of: profile))
        } catch let error as IdentityError where error.code == .notSignedIn {
            if let tokens = standing.tokens { refused.note(tokens) }
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
        // Whoever was signed out stays so until they, or the app for them, sign in.
        guard let tokens = standing.tokens else {
            throw IdentityError(.authentication, .notSignedIn, "they are signed out")
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

    /// Why the refresh token must not be shown to the provider now, if it must not.
    ///
    /// Each use ends the token before it, so the provider may be one step ahead of the store, and
    /// never two: to whoever shows the key of a bound token it repeats the step that nobody has
    /// gone on from, to this process, to another one, and to the next start of the app. A bearer
    /// token that is shown again is taken for a stolen one: the store must first prove, with the
    /// very record, that it will take what comes, and hold room for it that goes to nobody else
    /// meanwhile.
    private func obstacle(_ standing: TokenStatus) async -> (any Error)? {
        if let trouble = standing.trouble { return trouble }
        guard isKept, let tokens = standing.tokens, !tokens.isBoundToKey else { return nil }
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
            guard var profile = try await book.profile(initial.id) else {
                throw Self.removed
            }
            if isByKeyAlone { profile.hasPIN = false }
            return profile
        } catch is StoreError {
            return initial
        } catch let error as IdentityError where error.profile == initial.id { return initial }
    }

    /// What the tokens are bound to.
    func tokenKey() async throws -> any StoredKey {
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

    /// The living tokens: those that are kept, unless the store would not take newer ones, which
    /// are offered to it again. What is known here and kept no longer was signed out, perhaps by
    /// another process, and lives no more.
    ///
    /// A store that cannot be read now hides nothing that is known; where nothing is, that is what
    /// went wrong, not that nobody is signed in. A damaged record never comes back by itself, and
    /// is replaced.
    private func standing(_ known: StoredTokens?) async throws -> TokenStatus {
        guard isKept else { return TokenStatus(tokens: known) }
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

    /// Keeps what a sign-in gave, and says what it is with its number. They have signed in last.
    ///
    /// - Throws: ``IdentityError/Code/notRegistered`` when the profile was removed meanwhile.
    func keep(_ tokens: StoredTokens, after known: StoredTokens?) async throws -> StoredTokens {
        try await locked {
            guard await !self.isRemoved() else { throw Self.removed }
            let before = try? await self.standing(known)
            var tokens = tokens
            tokens.generation = (before?.tokens?.generation ?? 0) + 1
            try? await self.write(tokens, overRecord: before?.hasRecord ?? false)
            await self.claim(by: tokens)
            if self.isKept { try? await self.book.makeCurrent(self.initial.id) }
            return tokens
        }
    }

    /// A profile of before says nothing of its provider: it is of the one whose verified ID token
    /// names its person.
    private func claim(by tokens: StoredTokens) async {
        guard isKept, initial.issuer == nil, let idToken = tokens.idToken.flatMap({ IDToken($0) }),
            idToken.claim("iss", as: String.self) == book.issuer,
            idToken.claim("sub", as: String.self) == initial.userID
        else { return }
        try? await book.claim(initial.id)
    }

    /// Whether the profile is here no more. A store that cannot say so is no reason to lose tokens.
    private func isRemoved() async -> Bool {
        guard isKept else { return false }
        do { return try await book.profile(initial.id) == nil } catch { return false }
    }

    private static let removed = IdentityError(
        .authentication, .notRegistered, "the profile was removed")

    /// Writes the tokens. When the store does not take them they stay in memory, and are written
    /// when somebody next has to renew them.
    private func write(_ tokens: StoredTokens, overRecord: Bool) async throws {
        guard isKept else { return }
        unsaved.hold(tokens, overRecord: overRecord)
        do { try await store.write(tokens.json, to: record) } catch let error as StoreError {
            // It has filled up since it proved that it takes them: they get the room that was kept.
            guard !tokens.isBoundToKey, case .unavailable = error, await hasRoom() else {
                throw error
            }
            try await store.remove(room)
            try await store.write(tokens.json, to: record)
        }
        unsaved.letGo()
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

    func forget() async throws {
        unsaved.letGo()
        guard isKept else { return }
        let (store, record, room) = (store, record, room)
        try await book.inSession(of: initial.id) {
            try await store.remove(record)
            try await store.remove(room)
        }
    }
}
