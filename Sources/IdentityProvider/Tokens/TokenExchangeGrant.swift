// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import Storage

/// `grant_type=urn:ietf:params:oauth:grant-type:token-exchange`, RFC 8693: an app that speaks for
/// somebody gets a token for another of the operator's services, good there and for less.
///
/// Only access tokens of ours are exchanged, by the client that they were given to, for audiences
/// on its list. What comes of it ends with the same grant, no later than what was exchanged, and
/// opens nothing of the provider's own.
struct TokenExchangeGrant: PersonTokenGrant {
    let exchange: TokenExchange

    static let grantType = TokenRequest.tokenExchangeGrantType
    static let action = "token.exchange"

    /// What is for the client itself, and not to be handed on.
    private static let ownScopes = ScopeSet([
        "openid", "offline_access", "registration", "entitlements",
    ])

    struct Message: Sendable {
        let grant: Identifier<Grant>
        let subject: String
        let scope: ScopeSet
        let expiresAt: Int64
    }

    func verify(_ call: TokenRequestContext) async throws -> Result<Message, Refusal> {
        guard call.client.client.metadata.exchangeAudiences.contains(exchange.audience) else {
            return .failure(
                Refusal(
                    ErrorCode.invalidTarget, "Ask for an audience that the client may ask for.",
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
                    "Ask for no more than the token has, and for nothing that is the client's own.",
                    reason: "exchange with wider scope"
                ).matched)
        }
        return .success(
            Message(
                grant: grant, subject: claims.subject, scope: asked, expiresAt: claims.expiresAt))
    }

    /// Nothing is used up: an access token is good until it ends.
    func consume(
        _ message: Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        // A device's token does not become its person's.
        guard let grant = try await call.provider.store.grant(message.grant),
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
