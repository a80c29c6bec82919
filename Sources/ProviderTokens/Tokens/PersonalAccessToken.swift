// SPDX-License-Identifier: Apache-2.0
import JOSE
package import OAuth
import Primitives
package import ProviderCore
package import Storage

/// An access token that is issued for a grant without a request to the token endpoint. It ends with
/// its grant, and is verified like other access tokens. It is not bound to a key, so it never has
/// the scope `registration`.
package struct PersonalAccessToken {
    package let provider: Provider
    package let tenant: Tenant
    package let client: RegisteredClient
    package let facts: RequestMetadata

    package init(
        provider: Provider, tenant: Tenant, client: RegisteredClient, facts: RequestMetadata
    ) {
        self.provider = provider
        self.tenant = tenant
        self.client = client
        self.facts = facts
    }

    /// - Parameter person: the person of the grant.
    package func make(for grant: Grant, of person: Person, scope: ScopeSet) async throws -> String {
        let context = GrantedContext(grant)
        let (now, scope) = (facts.now, scope.subtracting(ScopeSet([ProviderScope.registration])))
        var claims = AccessTokenClaims(
            issuer: tenant.issuer, subject: grant.person.description,
            audience: client.client.metadata.audience ?? tenant.issuer,
            clientID: client.clientID,
            scope: scope.text, issuedAt: now.seconds,
            expiresAt: now.seconds + tenant.project.policy.accessTokenLifetime,
            tokenID: provider.random.bytes(16), authenticatedAt: grant.authenticatedAt.seconds,
            contextClass: context.contextClass, methods: context.methods,
            session: grant.session?.description, grant: grant.id)
        claims.more = PersonalTokenClaims(
            client: client, person: person, log: provider.log, facts: facts
        ).accessToken(scope)
        let signer = try await provider.keys.signer(for: tenant, algorithm: .es256)
        let token = try signer.sign(payload: claims.json, typ: AccessTokenClaims.type)
        return String(decoding: token, as: UTF8.self)
    }
}
