// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
package import ProviderCore
import Storage

/// `/userinfo`, OpenID Connect Core section 5.3.
package struct UserInfoEndpoint: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    /// The response for the client.
    package enum Response: Sendable {
        /// A JSON document with the claims.
        case claims([UInt8])
        /// The same, encrypted to the client: a compact JWE, `application/jwt` (section 5.3.2).
        case encrypted([UInt8])
    }

    package func respond(
        accessToken: PresentedAccessToken, tenant: Tenant, facts: RequestMetadata
    ) async throws -> Result<Response, Refusal> {
        let access = ResourceAccess(provider: provider, tenant: tenant, facts: facts)
        switch try await access.verify(accessToken) {
        case .failure(let refusal): return .failure(refusal)
        case .success(nil): return .failure(Self.invalid("no standing access token"))
        case .success(let verified?): return try await respond(to: verified, tenant)
        }
    }

    private func respond(
        to verified: VerifiedAccessToken, _ tenant: Tenant
    ) async throws -> Result<Response, Refusal> {
        guard verified.hasScope("openid") else {
            return .failure(
                Refusal(
                    ErrorCode.insufficientScope, "The scope openid is needed here.",
                    reason: "userinfo without openid"))
        }
        guard let grant = verified.claims.grant,
            let id = Identifier<Person>(verified.claims.subject),
            let person = try await provider.store.people.person(id), !person.disabled,
            person.project == tenant.project.id,
            let client = try await provider.registeredClient(
                verified.claims.clientID, of: tenant)
        else { return .failure(Self.invalid("the token has no person")) }
        let scope = ScopeSet(verified.claims.scope) ?? ScopeSet()
        let claims = PersonClaimsWriter(person: person)
            .json(
                for: scope, and: try await single(grant, client), custom: client.customClaims)
        // A client whose encryption is not possible receives no claims.
        guard let encryption = try client.userInfoEncryption.get() else {
            return .success(.claims(claims))
        }
        return .success(.encrypted(try encryption.encrypt(claims, random: provider.random)))
    }

    /// The claims that the authorization request asked for individually and that the client may
    /// still request.
    private func single(
        _ grant: Identifier<Grant>, _ client: RegisteredClient
    ) async throws -> [ClaimsRequest.Member] {
        guard let claims = try await provider.store.grants.grant(grant)?.claims, !claims.isEmpty
        else {
            return []
        }
        return ClaimsRequest(claims)?.allowed(by: client.scope).userInfo ?? []
    }

    private static func invalid(_ reason: String) -> Refusal {
        Refusal(
            ErrorCode.invalidToken, "The access token is expired, revoked or not ours.",
            reason: reason)
    }
}
