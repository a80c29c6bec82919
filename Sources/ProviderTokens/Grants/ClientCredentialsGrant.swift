// SPDX-License-Identifier: Apache-2.0
package import OAuth
package import ProviderCore

/// `grant_type=client_credentials`: RFC 6749 section 4.4. The client acts for itself. The tokens
/// have no person and no refresh token, and nothing is stored.
package struct ClientCredentialsGrant: TokenGrant {
    package let scope: String?

    package init(scope: String?) {
        self.scope = scope
    }

    package static let grantType = "client_credentials"
    package static let action = "token.client_credentials"
    package static let concernsPerson = false

    package func verify(_ call: TokenRequestContext) async throws -> Result<ScopeSet, Refusal> {
        guard !call.client.isPublic else {
            return .failure(
                Refusal(
                    ErrorCode.unauthorizedClient, "A public client cannot act for itself.",
                    reason: "client_credentials by a public client"))
        }
        guard let scope else { return .success(call.client.machineScope) }
        guard let asked = ScopeSet(scope), asked.isSubset(of: call.client.machineScope) else {
            return .failure(
                Refusal(
                    ErrorCode.invalidScope,
                    "Request scopes that the client is registered for and that need no person.",
                    reason: "client_credentials with wider scope"))
        }
        return .success(asked)
    }

    package func consume(
        _ message: ScopeSet, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        .success(TokenIssuance(scope: message))
    }
}
