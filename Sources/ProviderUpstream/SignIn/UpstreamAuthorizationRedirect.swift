// SPDX-License-Identifier: Apache-2.0
import OAuth
package import Primitives
package import ProviderCore
package import Storage

/// Redirects the browser to an upstream provider with an authorization request (RFC 6749 section
/// 4.1.1, always with PKCE, and with a nonce if there is an ID token).
package struct UpstreamAuthorizationRedirect: Sendable {
    private let context: CeremonyContext

    /// A redirect.
    package struct Way: Sendable {
        /// The URL of the provider with the request.
        package let address: String
        /// The cookie for the browser until the callback.
        package let cookie: String
    }

    package init(_ context: CeremonyContext) { self.context = context }

    /// The callback URL. Each provider has a separate one, so that one provider cannot respond
    /// instead of another (RFC 9700 section 4.4.2.2).
    package static func redirectURI(_ provider: UpstreamProvider, of tenant: Tenant) -> String {
        "\(tenant.issuer)\(callbackPath(provider.name))"
    }

    package static func path(_ name: String) -> String { "/sign-in/with/\(name)" }
    package static func callbackPath(_ name: String) -> String { path(name) + "/callback" }

    /// Starts a sign-in.
    ///
    /// - Parameters:
    ///   - browser: the secret of the browser's cookie.
    ///   - isFresh: whether the provider must authenticate the person again.
    package func signIn(
        with name: String, browser: [UInt8], isFresh: Bool, continuation: String?, next: String?
    ) async throws -> Result<Way, Refusal> {
        guard let provider = try await find(name), !provider.settings.linkOnly else {
            return .failure(UserFacingRefusal.upstreamClosed.refusal(because: "not offered"))
        }
        // Plain OAuth 2 has no parameter to request it and no claim to confirm it.
        guard !isFresh || provider.kind == .oidc else {
            return .failure(UserFacingRefusal.upstreamNotFresh.refusal(because: "plain OAuth 2"))
        }
        let attempt = UpstreamTransaction(
            provider: provider.id, purpose: .signIn, isFresh: isFresh, begunAt: context.now,
            continuation: continuation, next: next)
        return try await depart(attempt, provider, browser)
    }

    /// Starts the linking of an account of the provider to the signed-in person.
    package func link(
        to name: String, browser: [UInt8], signedIn: AuthenticatedSession
    ) async throws -> Result<Way, Refusal> {
        guard signedIn.hasFreshLocalFactor(at: context.now) else {
            return .failure(
                UserFacingRefusal.localFactorNeeded.refusal(because: "no fresh local factor"))
        }
        guard let provider = try await find(name) else {
            return .failure(UserFacingRefusal.upstreamClosed.refusal(because: "not offered"))
        }
        let attempt = UpstreamTransaction(
            provider: provider.id, purpose: .link(signedIn.person.id, signedIn.session.id),
            isFresh: false, begunAt: context.now)
        return try await depart(attempt, provider, browser)
    }

    private func find(_ name: String) async throws -> UpstreamProvider? {
        let found = try await context.store.upstreamProviders.upstreamProvider(
            named: name, in: context.project)
        return found.flatMap { $0.isEnabled ? $0 : nil }
    }

    private func depart(
        _ attempt: UpstreamTransaction, _ provider: UpstreamProvider, _ browser: [UInt8]
    ) async throws -> Result<Way, Refusal> {
        if let declined = try await AttemptCounter(context: context).countChallenge() {
            return .failure(declined.refusal)
        }
        switch await context.provider.upstreamDirectory.metadata(of: provider, now: context.now) {
        case .failure(let failure): return .failure(failure.declined.refusal)
        case .success(let metadata):
            let state = UpstreamState.make(browser: browser, in: context)
            return .success(
                Way(
                    address: request(attempt, provider, metadata, state),
                    cookie: try state.seal(attempt, random: context.provider.random)))
        }
    }

    private func request(
        _ attempt: UpstreamTransaction, _ provider: UpstreamProvider, _ metadata: UpstreamMetadata,
        _ state: UpstreamState
    ) -> String {
        let settings = provider.settings
        var scopes = settings.scopes
        if provider.kind == .oidc, !scopes.contains("openid") { scopes.insert("openid", at: 0) }
        var parameters = [
            (name: "response_type", value: "code"), (name: "client_id", value: settings.clientID),
            (name: "redirect_uri", value: Self.redirectURI(provider, of: context.tenant)),
            (name: "state", value: state.text),
            (name: "code_challenge", value: CodeChallenge.s256(of: state.verifier)),
            (name: "code_challenge_method", value: "S256"),
        ]
        if !scopes.isEmpty {
            parameters.append((name: "scope", value: scopes.joined(separator: " ")))
        }
        if provider.kind == .oidc { parameters.append((name: "nonce", value: state.nonce)) }
        if settings.responseMode != "query" {
            parameters.append((name: "response_mode", value: settings.responseMode))
        }
        if attempt.isFresh {
            parameters += [(name: "prompt", value: "login"), (name: "max_age", value: "0")]
        }
        if !settings.acrValues.isEmpty {
            let values = settings.acrValues.joined(separator: " ")
            parameters.append((name: "acr_values", value: values))
        }
        let address = metadata.authorizationEndpoint.text
        return address + (address.contains("?") ? "&" : "?") + FormEncoding.encode(parameters)
    }
}

extension UpstreamError {
    /// The refusal for the person. The reason is private.
    var declined: CeremonyRefusal {
        switch self {
        case .away(let reason):
            CeremonyRefusal(UserFacingRefusal.upstreamAway.refusal(because: reason, retryAfter: 30))
        case .wrong(let reason):
            CeremonyRefusal(UserFacingRefusal.upstreamRefused.refusal(because: reason))
        }
    }
}

extension AuthenticatedSession {
    /// Whether the person has recently used a factor of this provider: a password, a key, a code. A
    /// sign-in at an upstream provider does not count.
    package func hasFreshLocalFactor(at now: Timestamp) -> Bool {
        guard !session.factors.isEmpty else { return isFresh(at: now) }
        return session.factors.contains {
            !$0.isFederated && $0.isSeenHere && now - $0.at <= Self.freshness
        }
    }
}
