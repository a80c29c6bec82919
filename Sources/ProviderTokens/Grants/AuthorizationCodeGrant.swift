// SPDX-License-Identifier: Apache-2.0
import OAuth
package import ProviderCore
import Storage

/// `grant_type=authorization_code`: RFC 6749 section 4.1.3, RFC 7636 section 4.6.
package struct AuthorizationCodeGrant: PersonTokenGrant {
    package let code: String
    package let redirectURI: String?
    package let verifier: String?

    package init(code: String, redirectURI: String?, verifier: String?) {
        self.code = code
        self.redirectURI = redirectURI
        self.verifier = verifier
    }

    package static let grantType = "authorization_code"
    package static let action = "token.authorization_code"

    /// An issued code for which all bindings were verified.
    package struct Message: Sendable {
        let hash: [UInt8]
        let code: AuthorizationCode
    }

    package func verify(_ call: TokenRequestContext) async throws -> Result<Message, Refusal> {
        let hash = AuthorizationCodeHash.hash(
            of: code, boundTo: call.confirmation, in: call.provider.secrets)
        guard let found = try await call.provider.store.grants.code(hash: hash) else {
            return .failure(.invalidGrant("no such code"))
        }
        if let reason = reasonToRefuse(found, call) {
            return .failure(.invalidGrant(reason).matched)
        }
        if let refusal = call.reasonToRefuse(ScopeSet(found.grant.scope) ?? ScopeSet()) {
            return .failure(refusal.matched)
        }
        return .success(Message(hash: hash, code: found))
    }

    private func reasonToRefuse(_ found: AuthorizationCode, _ call: TokenRequestContext) -> String?
    {
        guard found.grant.client == call.client.client.id,
            found.grant.project == call.tenant.project.id
        else { return "the code was given to another client" }
        if found.redirectURIWasSent || redirectURI != nil {
            guard redirectURI == found.redirectURI else { return "another redirect_uri" }
        }
        guard let stored = found.codeChallenge else {
            if call.client.isPublic { return "a public client without code challenge" }
            // RFC 9700 section 4.8.2: a verifier without challenge is a downgrade.
            return verifier == nil ? nil : "a code_verifier, but no code_challenge was sent"
        }
        guard let challenge = CodeChallenge(stored), let verifier, challenge.isMet(by: verifier)
        else { return "code_verifier missing or wrong" }
        return nil
    }

    package func consume(
        _ message: Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        let scope = ScopeSet(message.code.grant.scope) ?? ScopeSet()
        let generation: Int64 = call.client.getsRefreshToken(for: scope) ? 1 : 0
        switch try await call.provider.store.grants.redeemCode(
            hash: message.hash, generation: generation, now: call.facts.now)
        {
        case .redeemed(let grant):
            return .success(
                TokenIssuance(
                    grant: grant, scope: scope,
                    refreshGeneration: generation > 0 ? grant.generation : nil, nonce: grant.nonce))
        case .reused: return .failure(.invalidGrant("the code was used before: grant revoked"))
        case .expired: return .failure(.invalidGrant("the code is expired"))
        case .unknown: return .failure(.invalidGrant("the code does not exist"))
        }
    }
}
