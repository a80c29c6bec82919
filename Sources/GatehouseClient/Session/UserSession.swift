// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives

/// The session of a signed-in person.
///
/// There is one session for each profile and client, and it outlives sign-ins: hold on to it. It
/// has a good access token whenever one is asked for, renews it before it ends, and shares one
/// renewal among all who wait, in this process and in all others with the same store.
///
/// Tokens are bound to a key of the installation (DPoP) when the provider can do that; otherwise
/// they are bearer tokens. ``AccessToken/isBoundToKey`` tells.
public actor UserSession {
    /// The signed-in person.
    public nonisolated let profile: Profile

    nonisolated let cache: TokenCache
    nonisolated let renewal: TokenRenewal
    private let events: EventBroadcaster
    private let renewals = CoalescingTask<StoredTokens>()
    /// The number of sign-ins and sign-outs in this session. An exchange that started before the
    /// last one is discarded.
    private var turns = 0
    /// The exchanged tokens by audience.
    private var exchanged: [String: StoredTokens] = [:]

    init(
        profile: StoredProfile, tokens: StoredTokens?, renewal: TokenRenewal,
        events: EventBroadcaster
    ) {
        self.profile = profile.publicProfile
        self.renewal = renewal
        self.events = events
        cache = TokenCache(tokens)
    }

    /// Returns an access token that is valid for that duration, or, if the provider issues none
    /// with that lifetime, for half of its lifetime. Returns a cached token if possible. Otherwise
    /// concurrent callers share one renewal, which continues if one of them is cancelled.
    ///
    /// - Throws: ``IdentityError/Code/notSignedIn`` when the person must sign in again, and
    ///   ``IdentityError/Code/notReachable`` and its like when nothing is wrong with the session.
    public nonisolated func accessToken(
        validFor need: Duration = .seconds(30)
    ) async throws -> AccessToken {
        let need = TimeSpan(need)
        if let held = held(goodFor: need) { return held.shown }
        return AccessToken(try await renewed(unlessGoodFor: need))
    }

    nonisolated func tokens(goodFor need: TimeSpan) async throws -> StoredTokens {
        if let held = held(goodFor: need) { return held.tokens }
        return try await renewed(unlessGoodFor: need)
    }

    /// Returns cached tokens, and starts a renewal in advance if it is due.
    private nonisolated func held(goodFor need: TimeSpan) -> HeldTokens? {
        guard let (held, renews) = cache.good(for: need, at: renewal.clock.now) else { return nil }
        if renews { Task { await renewAhead() } }
        return held
    }

    /// Renews the tokens, whatever their remaining lifetime.
    public func refresh() async throws {
        let known = cache.tokens
        _ = try await share { try await self.renewal.renew(replacing: known) }
    }

    /// The person's verified ID token; `nil` without the scope `openid`.
    public nonisolated var idToken: IDToken? { cache.tokens?.idToken.flatMap { IDToken($0) } }

    // MARK: Other services

    /// Exchanges this session's token for one of another service of the operator (RFC 8693): for
    /// that service only, and without additional scopes. An earlier one is returned while it is
    /// valid.
    ///
    /// - Parameters:
    ///   - audience: An audience that the client may request (`exchange_audiences`).
    ///   - scopes: Fewer than the session has; with `nil` all that may be handed on.
    /// - Throws: ``IdentityError/Code/requestInvalid`` for another audience.
    public func exchange(audience: String, scopes: [String]? = nil) async throws -> AccessToken {
        AccessToken(try await exchangedTokens(audience, scopes))
    }

    /// - Parameter refused: The tokens that the service has refused.
    func exchangedTokens(
        _ audience: String, _ scopes: [String]?, besides refused: StoredTokens? = nil
    ) async throws -> StoredTokens {
        let name = ([audience] + (scopes ?? ["*"])).joined(separator: " ")
        // After a sign-out or removal, exchanged tokens are not returned either.
        if cache.tokens != nil, let known = exchanged[name], known != refused,
            known.isGood(for: .seconds(30), at: renewal.clock.now)
        {
            return known
        }
        return try await IdentityError.surfacing(.resource) {
            let tokens = try await tokens(goodFor: .seconds(30))
            let before = turns
            var form = [
                ("grant_type", TokenRequest.tokenExchangeGrantType),
                ("subject_token", tokens.accessToken.revealText()),
                ("subject_token_type", TokenExchange.tokenType), ("audience", audience),
            ]
            if let scopes { form.append(("scope", scopes.joined(separator: " "))) }
            let endpoint = TokenEndpointClient(
                connection: renewal.connection, key: try await renewal.tokenKey())
            let made = try await endpoint.request(form, in: .resource)
            // A new sign-in discards the exchanges of the one before.
            if turns == before { exchanged[name] = made }
            return made
        }
    }

    // MARK: Renewing

    /// Returns newer tokens than those that a service has refused.
    func replaced(_ refused: StoredTokens) async throws -> StoredTokens {
        if let tokens = cache.tokens, tokens.generation > refused.generation { return tokens }
        return try await share { try await self.renewal.renew(replacing: refused) }
    }

    private func renewed(unlessGoodFor need: TimeSpan) async throws -> StoredTokens {
        if let (held, _) = cache.good(for: need, at: renewal.clock.now) { return held.tokens }
        return try await share {
            try await self.renewal.renew(unlessGoodFor: need, having: self.cache.tokens)
        }
    }

    private func renewAhead() async {
        // A failure is told as an event, and the token at hand still serves.
        let known = cache.tokens
        _ = try? await share { try await self.renewal.renew(replacing: known) }
    }

    /// Runs one renewal at a time. Concurrent callers get its result.
    private func share(
        _ work: @escaping @Sendable () async throws -> StoredTokens
    ) async throws -> StoredTokens {
        try await renewals.value { try await self.updateTokens(work) }
    }

    private func updateTokens(
        _ work: @Sendable () async throws -> StoredTokens
    ) async throws -> StoredTokens {
        let before = turns
        let tokens: StoredTokens
        do { tokens = try await work() } catch {
            let error = IdentityError(surfacing: error, in: .authentication)
            // What failed may have been about tokens that are theirs no longer.
            if turns != before, let newer = cache.tokens { return newer }
            if turns == before { handle(error) }
            throw error
        }
        if turns == before {
            hold(tokens)
            return tokens
        }
        guard let newer = cache.tokens else {
            throw IdentityError(
                .authentication, .notSignedIn, "the person was signed out during the renewal")
        }
        return newer
    }

    private func handle(_ error: IdentityError) {
        if error.code == .notSignedIn {
            cache.tokens = nil
            exchanged = [:]
            events.send(.signedOut(profile.id, .refused))
        } else {
            cache.pauseRenewingAhead(until: renewal.clock.now + error.pause)
            events.send(.refreshFailed(profile.id, error.code))
        }
    }

    // MARK: Beginning and ending

    /// A new sign-in of the same person.
    func adopt(_ tokens: StoredTokens) async throws {
        let kept = try await renewal.save(tokens, after: cache.tokens)
        turns += 1
        hold(kept)
        // What was exchanged is bound to the key of before.
        exchanged = [:]
    }

    private nonisolated func hold(_ tokens: StoredTokens) {
        let before = cache.tokens
        cache.tokens = tokens
        if let before, Entitlements(in: before) != Entitlements(in: tokens) {
            events.send(.entitlementsChanged(profile.id))
        }
    }

    /// Ends the session in this process, also during a renewal. Its record is deleted already.
    func end() {
        turns += 1
        cache.tokens = nil
        exchanged = [:]
        renewal.unsaved.clear()
    }
}

extension IdentityError {
    /// The pause before the next request: the provider's value, or a short default.
    fileprivate var pause: TimeSpan {
        guard case .after(let seconds) = retry else { return .seconds(5) }
        return .seconds(seconds)
    }
}
