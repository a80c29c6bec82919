// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives

/// Somebody who is signed in.
///
/// There is one session for each profile and client, and it outlives sign-ins: hold on to it. It
/// has a good access token whenever one is asked for, renews it before it ends, and shares one
/// renewal among all who wait, in this process and in all others with the same store.
///
/// Tokens are bound to a key of the installation (DPoP) when the provider can do that; otherwise
/// they are bearer tokens. ``AccessToken/isBoundToKey`` tells.
public actor UserSession {
    /// Who it is.
    public nonisolated let profile: Profile

    nonisolated let cache: TokenCache
    nonisolated let renewal: TokenRenewal
    private let hub: EventBroadcaster
    private let renewals = CoalescingTask<StoredTokens>()
    /// How often somebody has signed in or out here: what was begun before that counts no more.
    private var turns = 0
    /// By audience.
    private var exchanged: [String: StoredTokens] = [:]

    init(
        profile: StoredProfile, tokens: StoredTokens?, renewal: TokenRenewal, hub: EventBroadcaster
    ) {
        self.profile = profile.shown
        self.renewal = renewal
        self.hub = hub
        cache = TokenCache(tokens)
    }

    /// An access token that is good for that long, or, where the provider gives none that is, for half
    /// the life of those that it gives. From memory when there is one; otherwise one renewal serves
    /// everybody who waits, and goes on for the others when one of them is cancelled.
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

    /// From memory, and renewed ahead when it is time for that.
    private nonisolated func held(goodFor need: TimeSpan) -> HeldTokens? {
        guard let (held, renews) = cache.good(for: need, at: renewal.clock.now) else { return nil }
        if renews { Task { await renewAhead() } }
        return held
    }

    /// Has the tokens renewed, whatever is left of their life.
    public func refresh() async throws {
        let known = cache.tokens
        _ = try await share { try await self.renewal.renew(replacing: known) }
    }

    /// The person's verified ID token; `nil` without the scope `openid`.
    public nonisolated var idToken: IDToken? { cache.tokens?.idToken.flatMap { IDToken($0) } }

    // MARK: Other services

    /// A token for another of the operator's services, in exchange for this session's (RFC 8693):
    /// for that service alone, and with no more scopes. The one from before serves as long as it
    /// is good.
    ///
    /// - Parameters:
    ///   - audience: One of those that the client may ask for (`exchange_audiences`).
    ///   - scopes: Fewer than the session has; with `nil` all that may be handed on.
    /// - Throws: ``IdentityError/Code/requestInvalid`` for another audience.
    public func exchange(audience: String, scopes: [String]? = nil) async throws -> AccessToken {
        AccessToken(try await exchangedTokens(audience, scopes))
    }

    /// - Parameter refused: Those that the service does not take.
    func exchangedTokens(
        _ audience: String, _ scopes: [String]?, besides refused: StoredTokens? = nil
    ) async throws -> StoredTokens {
        let name = ([audience] + (scopes ?? ["*"])).joined(separator: " ")
        // Whoever is signed out or removed has none of these either.
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
            // Whoever has signed in since then has nothing of the sign-in before.
            if turns == before { exchanged[name] = made }
            return made
        }
    }

    // MARK: Renewing

    /// Newer tokens than those, which somebody did not take.
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

    /// One at a time: who comes while one is running gets its outcome.
    private func share(
        _ work: @escaping @Sendable () async throws -> StoredTokens
    ) async throws -> StoredTokens {
        try await renewals.value { try await self.settle(work) }
    }

    private func settle(
        _ work: @Sendable () async throws -> StoredTokens
    ) async throws -> StoredTokens {
        let before = turns
        let tokens: StoredTokens
        do { tokens = try await work() } catch {
            let error = IdentityError(surfacing: error, in: .authentication)
            // What failed may have been about tokens that are theirs no longer.
            if turns != before, let newer = cache.tokens { return newer }
            if turns == before { take(error) }
            throw error
        }
        if turns == before {
            hold(tokens)
            return tokens
        }
        guard let newer = cache.tokens else {
            throw IdentityError(.authentication, .notSignedIn, "they were signed out meanwhile")
        }
        return newer
    }

    private func take(_ error: IdentityError) {
        if error.code == .notSignedIn {
            cache.tokens = nil
            exchanged = [:]
            hub.send(.signedOut(profile.id, .refused))
        } else {
            cache.pauseRenewingAhead(until: renewal.clock.now + error.pause)
            hub.send(.refreshFailed(profile.id, error.code))
        }
    }

    // MARK: Beginning and ending

    /// A new sign-in of the same person.
    func adopt(_ tokens: StoredTokens) async throws {
        let kept = try await renewal.keep(tokens, after: cache.tokens)
        turns += 1
        hold(kept)
        // What was exchanged is bound to the key of before.
        exchanged = [:]
    }

    private nonisolated func hold(_ tokens: StoredTokens) {
        let before = cache.tokens
        cache.tokens = tokens
        if let before, Entitlements(in: before) != Entitlements(in: tokens) {
            hub.send(.entitlementsChanged(profile.id))
        }
    }

    /// Ends it in this process, whatever is under way; its record is gone already.
    func end() {
        turns += 1
        cache.tokens = nil
        exchanged = [:]
        renewal.unsaved.letGo()
    }
}

extension IdentityError {
    /// How long the provider is left in peace after it: as long as it has asked for, or a little.
    fileprivate var pause: TimeSpan {
        guard case .after(let seconds) = retry else { return .seconds(5) }
        return .seconds(seconds)
    }
}
