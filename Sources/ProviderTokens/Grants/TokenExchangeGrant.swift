// SPDX-License-Identifier: Apache-2.0
package import OAuth
import Primitives
package import ProviderCore
import Storage

/// `grant_type=urn:ietf:params:oauth:grant-type:token-exchange`, RFC 8693: an app with a token of
/// its person receives a token for another service of the operator, with fewer rights.
///
/// Only access tokens of the provider are exchanged, by their client, for the audiences on its
/// list. The new token belongs to the same grant, ends no later than the exchanged one, and gives
/// no access to the provider.
package struct TokenExchangeGrant: PersonTokenGrant {
    package let exchange: TokenExchange

    package init(exchange: TokenExchange) {
        self.exchange = exchange
    }

    package static let grantType = TokenRequest.tokenExchangeGrantType
    package static let action = "token.exchange"

    /// Scopes for the client itself, which an exchange cannot include.
    private static let ownScopes = ScopeSet([
        "openid", "offline_access", "registration", "entitlements",
    ])

    package struct Message: Sendable {
        let grant: Identifier<Grant>
        let subject: String
        let scope: ScopeSet
        let expiresAt: Int64
    }

    package func verify(_ call: TokenRequestContext) async throws -> Result<Message, Refusal> {
        guard call.client.client.metadata.exchangeAudiences.contains(exchange.audience) else {
            return .failure(
                Refusal(
                    ErrorCode.invalidTarget, "Request an audience that the client is allowed.",
                    reason: "audience not on the list"))
        }
        let possession = call.confirmation.map { SenderConstraint.keyOrBearer($0) } ?? .bearer
        let subject = try await AccessTokenVerifier(call.provider).verify(
            exchange.subjectToken, tenant: call.tenant,
            for: .resource(call.client.client.metadata.audience ?? call.tenant.issuer),
            shownWith: possession, now: call.facts.now)
        guard let claims = subject?.claims, claims.clientID == call.client.clientID,
            let grant = claims.grant
        else { return .failure(Self.invalidSubject) }
        let held = (ScopeSet(claims.scope) ?? ScopeSet()).intersection(call.client.scope)
            .subtracting(Self.ownScopes)
        guard let text = exchange.scope else {
            return .success(
                Message(
                    grant: grant, subject: claims.subject, scope: held,
                    expiresAt: claims.expiresAt))
        }
        guard let asked = ScopeSet(text), asked.isSubset(of: held) else {
            return .failure(
                Refusal(
                    ErrorCode.invalidScope,
                    "Request only scopes of the token, and none for the client itself.",
                    reason: "exchange with wider scope"
                ).matched)
        }
        return .success(
            Message(
                grant: grant, subject: claims.subject, scope: asked, expiresAt: claims.expiresAt))
    }

    /// Consumes nothing: an access token can be exchanged until it expires.
    package func consume(
        _ message: Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        // The token of a device session does not become one of its person.
        guard let grant = try await call.provider.store.grants.grant(message.grant),
            grant.person.description == message.subject
        else {
            return .failure(Self.invalidSubject)
        }
        var entitlement = TokenIssuance(grant: grant, scope: message.scope)
        entitlement.audience = exchange.audience
        entitlement.endsBefore = message.expiresAt
        return .success(entitlement)
    }

    private static let invalidSubject = Refusal(
        ErrorCode.invalidRequest,
        "The subject_token is expired, revoked, or was not given to this client.",
        reason: "no standing access token of the client, or without its proof")
}
