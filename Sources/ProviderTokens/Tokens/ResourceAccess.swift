// SPDX-License-Identifier: Apache-2.0
import ProviderCore

/// Verifies the access token of a request to the provider, with the DPoP proof that it requires:
/// RFC 6750 section 2.1, RFC 9449 section 7.
struct ResourceAccess: Sendable {
    let provider: Provider
    let tenant: Tenant
    let facts: RequestMetadata

    /// Returns the token if it is active and its sender constraint is satisfied, otherwise `nil`.
    /// An invalid proof has a separate refusal.
    func verify(
        _ presented: PresentedAccessToken
    ) async throws -> Result<VerifiedAccessToken?, Refusal> {
        let proof = DPoPVerifier(provider: provider, tenant: tenant, facts: facts)
        var proven: DPoPVerifier.Proven?
        if presented.scheme == .dpop {
            switch proof.check(with: presented.text) {
            case .success(let shown?): proven = shown
            case .success(nil): return .failure(DPoPVerifier.invalid("no proof"))
            case .failure(let refusal): return .failure(refusal)
            }
        }
        let token = try await AccessTokenVerifier(provider).verify(
            presented.text, tenant: tenant, for: .provider,
            shownWith: proven.map { .key($0.thumbprint) } ?? .bearer, now: facts.now)
        // A proof is not consumed if the token is not valid.
        guard token != nil, let proven else { return .success(token) }
        if let refusal = try await proof.use(proven) { return .failure(refusal) }
        return .success(token)
    }
}
