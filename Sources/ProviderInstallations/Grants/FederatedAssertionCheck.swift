// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage

/// Verifies the assertion of a registered issuer for a registered person (RFC 7523 section 3).
struct FederatedAssertionCheck: Sendable {
    let call: TokenRequestContext

    init(_ call: TokenRequestContext) { self.call = call }

    func prove(_ assertion: UnverifiedJWS) async throws -> Result<VerifiedGrantAssertion, Refusal> {
        let check = IssuedTokenCheck(
            provider: call.provider, tenant: call.tenant, now: call.facts.now, kind: .federation)
        let token: VerifiedIssuerToken
        switch try await check.verify(assertion) {
        case .success(let believed): token = believed
        case .failure(let declined):
            // The refusal tells the issuer's developer what is wrong with the token.
            return .failure(
                Refusal(
                    ErrorCode.invalidGrant, declined.refusal.message,
                    reason: declined.refusal.reason))
        }
        let identity = FederatedIdentity(issuer: token.key.issuer, subject: token.subject)
        let found = try await call.provider.store.credentials.credential(
            externalID: identity.externalID, kind: .federatedIdentity,
            in: call.tenant.project.id)
        guard let found else {
            return .failure(
                Refusal(
                    ErrorCode.invalidGrant,
                    "No person is registered with that subject of the issuer. Register first.",
                    reason: "no such federated identity"
                ).matched)
        }
        guard
            try await !call.provider.administersMore(
                than: call.tenant.project.id, found.person)
        else {
            let reason = "the person administers other projects"
            return .failure(.invalidGrant(reason).matched)
        }
        return .success(
            VerifiedGrantAssertion(
                person: found.person, methods: [], uses: [token.use], credential: found.id))
    }
}
