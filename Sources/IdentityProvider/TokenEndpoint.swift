// SPDX-License-Identifier: Apache-2.0
import JOSE
package import OAuth
import PIN
import Primitives
package import ProviderCore
import ProviderInstallations
import ProviderTokens
import Storage

/// `POST /token` (RFC 6749 section 3.2): chooses the grant of the request. ``TokenGrantRunner`` runs
/// its phases.
package struct TokenEndpoint: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    package func respond(
        to request: TokenRequest, from presented: PresentedClient, tenant: Tenant,
        facts: RequestMetadata
    ) async throws -> Result<TokenResponse, Refusal> {
        let runner = TokenGrantRunner(
            provider, presented: presented, tenant: tenant, facts: facts)
        return switch request {
        case .authorizationCode(let code, let redirectURI, let verifier):
            try await runner.run(
                AuthorizationCodeGrant(code: code, redirectURI: redirectURI, verifier: verifier))
        case .refreshToken(let token, let scope):
            try await runner.run(RefreshTokenGrant(token: token, scope: scope))
        case .clientCredentials(let scope):
            try await runner.run(ClientCredentialsGrant(scope: scope))
        case .deviceCode(let code):
            try await runner.run(DeviceCodeGrant(code: code))
        case .backchannel(let requestID):
            try await runner.run(BackchannelGrant(requestID: requestID))
        case .assertion(let assertion, let scope, let appAssertion):
            try await run(
                assertion, scope, appAssertion.map { AppAssertion($0, over: assertion) }, runner)
        case .tokenExchange(let exchange):
            try await runner.run(TokenExchangeGrant(exchange: exchange))
        case .passkey(let response, let scope):
            try await runner.run(PasskeyGrant(response: response, scope: scope))
        }
    }

    /// Runs an RFC 7523 assertion: a sign-in with PIN or with the key alone, a token of an issuer,
    /// or a session of an installation.
    private func run(
        _ assertion: String, _ scope: String?, _ app: AppAssertion?, _ runner: TokenGrantRunner
    ) async throws -> Result<TokenResponse, Refusal> {
        let jws = try? UnverifiedJWS(
            compact: assertion, maximumBytes: AssertionGrant.maximumBytes)
        if let jws {
            if let request = UnverifiedPINRequest(jws, length: assertion.utf8.count) {
                return try await runner.run(PINGrant(request: request, scope: scope, app: app))
            }
            if let device = DeviceSessionGrant(jws, scope: scope, app: app) {
                return try await runner.run(device)
            }
        }
        return try await runner.run(AssertionGrant(assertion: jws, scope: scope, app: app))
    }
}
