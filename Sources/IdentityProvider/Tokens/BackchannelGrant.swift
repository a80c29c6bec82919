// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import OAuth
import Storage

/// `grant_type=urn:openid:params:grant-type:ciba`: the client fetches what a person has approved,
/// once (OpenID Connect CIBA Core 1.0 sections 10.1 and 11).
struct BackchannelGrant: PersonalTokenGrant {
    let requestID: String

    static let grantType = TokenRequest.backchannelGrantType
    static let action = "token.approval"

    func verify(_ call: TokenCall) async throws -> Result<[UInt8], Refusal> {
        .success(call.provider.secrets.hash(requestID.utf8, for: .approval))
    }

    func consume(
        _ hash: [UInt8], _ call: TokenCall
    ) async throws -> Result<Entitlement, Refusal> {
        let generation: Int64 = call.client.may("refresh_token") ? 1 : 0
        switch try await call.provider.store.pollApproval(
            requestHash: hash, client: call.client.client.id, generation: generation,
            now: call.facts.now)
        {
        case .approved(let grant, let approval):
            return .success(try await entitlement(grant, approval, call))
        case .pending:
            return .failure(
                Refusal(
                    ErrorCode.authorizationPending, "Nobody has answered yet: ask again later.",
                    reason: "pending"))
        case .slowDown:
            return .failure(
                Refusal(
                    ErrorCode.slowDown, "Ask less often: wait five seconds more.",
                    reason: "polled too early"))
        case .denied:
            return .failure(
                Refusal(ErrorCode.accessDenied, "The person said no.", reason: "denied"))
        case .expired:
            return .failure(
                Refusal(
                    ErrorCode.expiredToken, "Nobody has answered in time: start again.",
                    reason: "expired"))
        case .unknown: return .failure(.invalidGrant("no such request of this client"))
        }
    }

    private func entitlement(
        _ grant: Grant, _ approval: Approval, _ call: TokenCall
    ) async throws -> Entitlement {
        let scope = ScopeSet(grant.scope) ?? ScopeSet()
        let refreshes = call.client.getsRefreshToken(for: scope)
        var entitlement = Entitlement(
            grant: grant, scope: scope, refreshGeneration: refreshes ? grant.generation : nil)
        var signer: InstallationSigner?
        if let installation = approval.installation {
            signer = try await InstallationSigner.find(
                installation, of: grant.person, in: call.provider.store)
        }
        entitlement.approval =
            ApprovalStatement(approval: approval, key: signer?.key.jwk).json
        return entitlement
    }
}
