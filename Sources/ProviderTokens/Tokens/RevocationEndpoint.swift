// SPDX-License-Identifier: Apache-2.0
package import OAuth
import Primitives
package import ProviderCore
import Storage

/// `POST /revoke`, RFC 7009. The response does not depend on whether a token was revoked.
package struct RevocationEndpoint: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    package func respond(
        token: String, from presented: PresentedClient, tenant: Tenant, facts: RequestMetadata
    ) async throws -> Result<Void, Refusal> {
        switch try await ClientAuthenticator(provider).identify(
            presented, of: tenant, facts: facts)
        {
        case .failure(let refusal): return .failure(refusal)
        case .success(let client):
            if try await revoke(token, of: client, tenant, facts) {
                try await provider.audit.record(
                    AuditEventDraft(
                        "token.revoked", in: tenant.project.id, facts: facts,
                        clientID: client.clientID))
            }
            return .success(())
        }
    }

    /// A refresh token revokes its grant (section 2.1); an access token revokes only itself.
    private func revoke(
        _ token: String, of client: RegisteredClient, _ tenant: Tenant, _ facts: RequestMetadata
    ) async throws -> Bool {
        if let refresh = RefreshToken(token, for: client.client.id, secrets: provider.secrets) {
            // A token of a revoked grant changes nothing and causes no audit event.
            let grant = try await provider.store.grants.grant(refresh.grant)
            guard let grant, grant.revokedAt == nil else { return false }
            try await provider.store.grants.revoke(grant: grant.id, now: facts.now)
            return true
        }
        let claims = try await AccessTokenVerifier(provider)
            .genuineClaims(of: token, tenant: tenant, now: facts.now)
        guard let claims, claims.issuer == tenant.issuer, claims.clientID == client.clientID,
            claims.expiresAt > facts.now.seconds
        else { return false }
        return try await provider.store.challenges.markUsed(
            OneTimeIdentifier(.revokedToken, key: claims.tokenID),
            expiresAt: Timestamp(seconds: claims.expiresAt + 60))
    }
}
