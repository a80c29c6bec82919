// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import OAuth
package import ProviderCore
package import ProviderTokens
import Storage

/// `grant_type=urn:openid:params:grant-type:ciba`: the client fetches the tokens of an approved
/// request once (OpenID Connect CIBA Core 1.0 sections 10.1 and 11).
package struct BackchannelGrant: PersonTokenGrant {
    package let requestID: String

    package init(requestID: String) {
        self.requestID = requestID
    }

    package static let grantType = TokenRequest.backchannelGrantType
    package static let action = "token.approval"
    package static let isMatchedByMessage = false

    package func verify(_ call: TokenRequestContext) async throws -> Result<[UInt8], Refusal> {
        .success(call.provider.secrets.hash(requestID.utf8, for: .approval))
    }

    package func consume(
        _ hash: [UInt8], _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        let generation: Int64 = call.client.may("refresh_token") ? 1 : 0
        switch try await call.provider.store.approvals.pollApproval(
            requestHash: hash, client: call.client.client.id, generation: generation,
            now: call.facts.now)
        {
        case .approved(let grant, let approval):
            return try await call.fetched(grant).continued {
                .success(try await entitlement($0, approval, call))
            }
        case .pending: return .failure(.pending("The request is pending. Poll again later."))
        case .slowDown: return .failure(.polledTooEarly)
        case .denied: return .failure(.personSaidNo)
        case .expired: return .failure(.expiredToken("The request is expired. Start again."))
        case .unknown: return .failure(.invalidGrant("no such request of this client"))
        }
    }

    private func entitlement(
        _ grant: Grant, _ approval: Approval, _ call: TokenRequestContext
    ) async throws -> TokenIssuance {
        var entitlement = TokenIssuance(polled: grant, by: call.client)
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
