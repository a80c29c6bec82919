// SPDX-License-Identifier: Apache-2.0
import JOSE
package import OAuth
import Primitives
package import ProviderCore
import Storage

/// `POST /introspect`, RFC 7662. A request causes one read of the store. The signature of a
/// recently verified token is not verified again.
package struct IntrospectionEndpoint: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    /// The response for a token that is not active, or that the caller may not introspect (RFC 7662
    /// section 2.2).
    package static let inactive = Array(#"{"active":false}"#.utf8)
    /// A client with this scope may introspect every token of its project.
    package static let scope = "introspect"

    /// - Returns: the JSON document of the response.
    package func respond(
        token: String, from presented: PresentedClient, tenant: Tenant, facts: RequestMetadata
    ) async throws -> Result<[UInt8], Refusal> {
        switch try await ClientAuthenticator(provider).identify(
            presented, of: tenant, facts: facts)
        {
        case .failure(let refusal): return .failure(refusal)
        case .success(let caller) where caller.isPublic:
            return .failure(
                Refusal(
                    ErrorCode.invalidClient, "The client could not be authenticated.",
                    reason: "introspection by a public client"))
        case .success(let caller):
            if let document = try await accessToken(token, caller, tenant, facts) {
                return .success(document)
            }
            return .success(
                try await refreshToken(token, caller, tenant, facts) ?? Self.inactive)
        }
    }

    private func accessToken(
        _ token: String, _ caller: RegisteredClient, _ tenant: Tenant, _ facts: RequestMetadata
    ) async throws -> [UInt8]? {
        let verified = try await AccessTokenVerifier(provider)
            .verify(token, tenant: tenant, for: .any, shownWith: .asked, now: facts.now)
        guard let claims = verified?.claims, isConcerned(caller, by: claims) else { return nil }
        var answer = JSONWriter()
        answer.member("active", true)
        answer.member("token_type", claims.confirmation == nil ? "Bearer" : "DPoP")
        if !claims.scope.isEmpty { answer.member("scope", claims.scope) }
        answer.member("client_id", claims.clientID)
        answer.member("iss", claims.issuer)
        answer.member("sub", claims.subject)
        answer.member("aud", claims.audience)
        answer.member("iat", claims.issuedAt)
        answer.member("exp", claims.expiresAt)
        answer.member("jti", token: Base64URL.encodeBytes(claims.tokenID))
        if let time = claims.authenticatedAt { answer.member("auth_time", time) }
        answer.member("acr", ifPresent: claims.contextClass)
        if let methods = claims.methods, !methods.isEmpty { answer.member("amr", methods) }
        answer.member("sid", ifPresent: claims.session)
        Self.write(claims.confirmation, to: &answer)
        return answer.finish()
    }

    /// Whether the caller may introspect the token: it is the client or the audience of the token,
    /// or has the scope for all.
    private func isConcerned(_ caller: RegisteredClient, by claims: AccessTokenClaims) -> Bool {
        claims.clientID == caller.clientID || claims.audience == caller.clientID
            || caller.scope.contains(Self.scope)
    }

    /// Introspects a refresh token. Only its client can, because the token contains a hash with the
    /// client.
    private func refreshToken(
        _ token: String, _ caller: RegisteredClient, _ tenant: Tenant, _ facts: RequestMetadata
    ) async throws -> [UInt8]? {
        guard
            let refresh = RefreshToken(
                token, for: caller.client.id, secrets: provider.secrets),
            let grant = try await provider.store.grants.grant(refresh.grant),
            grant.revokedAt == nil,
            grant.project == tenant.project.id, grant.generation == refresh.generation,
            grant.expiresAt > facts.now,
            facts.now - grant.rotatedAt
                < .seconds(tenant.project.policy.refreshTokenIdleLifetime)
        else { return nil }
        var answer = JSONWriter()
        answer.member("active", true)
        answer.member("scope", grant.scope)
        answer.member("client_id", caller.clientID)
        answer.member("iss", tenant.issuer)
        answer.member("sub", grant.person.description)
        answer.member("iat", grant.rotatedAt.seconds)
        answer.member("exp", grant.expiresAt.seconds)
        Self.write(refresh.confirmation, to: &answer)
        return answer.finish()
    }

    /// RFC 9449 section 6.2: for resources that cannot read the token.
    private static func write(_ confirmation: String?, to answer: inout JSONWriter) {
        if let confirmation { answer.member("cnf", ["jkt": .string(confirmation)]) }
    }
}
