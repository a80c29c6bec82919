// SPDX-License-Identifier: Apache-2.0
import OAuth
package import ProviderCore
package import Storage

/// The tokens of a client that polls until a person has decided: with a device code (RFC 8628
/// section 3.5) or for an approval (CIBA Core 1.0 sections 10.1 and 11).
extension TokenIssuance {
    package init(polled grant: Grant, by client: RegisteredClient) {
        let scope = ScopeSet(grant.scope) ?? ScopeSet()
        self.init(
            grant: grant, scope: scope,
            refreshGeneration: client.getsRefreshToken(for: scope) ? grant.generation : nil)
    }
}

extension TokenRequestContext {
    /// Consumes the DPoP proof of the poll that has fetched the grant. Earlier polls have no
    /// effect, so their proofs are not consumed.
    package func fetched(_ grant: Grant) async throws -> Result<Grant, Refusal> {
        guard let refusal = try await useProof() else { return .success(grant) }
        try await provider.store.grants.revoke(grant: grant.id, now: facts.now)
        return .failure(refusal.matched)
    }
}

extension Refusal {
    package static func pending(_ message: String) -> Refusal {
        Refusal(ErrorCode.authorizationPending, message, reason: "pending")
    }

    package static let polledTooEarly = Refusal(
        ErrorCode.slowDown, "Poll less often: wait five seconds longer.",
        reason: "polled too early")

    package static let personSaidNo = Refusal(
        ErrorCode.accessDenied, "The person said no.", reason: "denied")

    package static func expiredToken(_ message: String) -> Refusal {
        Refusal(ErrorCode.expiredToken, message, reason: "expired")
    }
}
