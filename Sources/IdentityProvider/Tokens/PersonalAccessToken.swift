// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Storage

/// An access token that is issued for a grant without a request to the token endpoint. It ends with
/// its grant, and is verified like other access tokens. It is not bound to a key, so it never has
/// the scope `registration`.
struct PersonalAccessToken {
    let provider: Provider
    let tenant: Tenant
    let client: RegisteredClient
    let facts: RequestMetadata

    /// - Parameter person: the person of the grant.
    func make(for grant: Grant, of person: Person, scope: ScopeSet) async throws -> String {
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
