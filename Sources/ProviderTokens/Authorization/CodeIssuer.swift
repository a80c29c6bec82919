// SPDX-License-Identifier: Apache-2.0
import OAuth
package import Primitives
import ProviderCore
import Storage

/// Issues the authorization code for a request (RFC 6749 section 4.1.2). The grant of the code is
/// written when the code is redeemed.
struct CodeIssuer: Sendable {
    let provider: Provider
    let tenant: Tenant
    let now: Timestamp

    /// - Parameter claim: the authentication statement for the tokens.
    func issue(
        for request: AuthorizationRequest, to signedIn: AuthenticatedSession,
        _ claim: AuthenticationClaim
    ) async throws -> String {
        let code = AuthorizationCodeHash.newCode(boundTo: request.keyThumbprint, by: provider)
        let policy = tenant.project.policy
        try await provider.store.grants.save(
            AuthorizationCode(
                hash: AuthorizationCodeHash.hash(
                    of: code, boundTo: request.keyThumbprint, in: provider.secrets),
                grant: grant(for: request, to: signedIn, claim),
                redirectURI: request.redirectURI.text,
                redirectURIWasSent: request.redirectURIWasSent,
                codeChallenge: request.codeChallenge?.value,
                expiresAt: now + .seconds(policy.codeLifetime)))
        return code
    }

    private func grant(
        for request: AuthorizationRequest, to signedIn: AuthenticatedSession,
        _ claim: AuthenticationClaim
    ) -> Grant {
        let refreshes = request.client.getsRefreshToken(for: request.scope)
        return Grant(
            id: Identifier(now: now, random: provider.random), project: tenant.project.id,
            client: request.client.client.id, person: signedIn.person.id,
            session: signedIn.session.id, scope: request.scope.text, claims: request.claims.text,
            nonce: request.nonce,
            authenticationMethods: claim.methods.joined(separator: " "),
            authenticatedAt: claim.at, contextClass: claim.contextClass.rawValue, rotatedAt: now,
            createdAt: now,
            expiresAt: now + tenant.grantLifetime(refreshes: refreshes))
    }
}

extension Tenant {
    /// A grant lasts longer than every token that is issued from it.
    package func grantLifetime(refreshes: Bool) -> TimeSpan {
        let policy = project.policy
        return .seconds(
            refreshes
                ? policy.refreshTokenLifetime : policy.accessTokenLifetime + policy.codeLifetime)
    }
}
