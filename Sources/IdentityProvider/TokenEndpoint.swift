// SPDX-License-Identifier: Apache-2.0
import JOSE
package import OAuth
import PIN
import Primitives
package import ProviderCore
import ProviderInstallations
import ProviderTokens
import Storage

/// `POST /token` (RFC 6749 section 3.2): chooses the grant of the request, and runs it as
/// a ``TokenCeremony``.
package struct TokenEndpoint: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    package func respond(
        to request: TokenRequest, from presented: PresentedClient, tenant: Tenant,
        facts: RequestMetadata
    ) async throws -> Result<TokenResponse, Refusal> {
        let context = CeremonyContext(
            provider: provider, tenant: tenant, facts: facts, writer: NoNotifications())
        return try await CeremonyRunner(context).run(grant(of: request), from: presented)
    }

    private func grant(of request: TokenRequest) -> any TokenGrant {
        switch request {
        case .authorizationCode(let code, let redirectURI, let verifier):
            AuthorizationCodeGrant(code: code, redirectURI: redirectURI, verifier: verifier)
        case .refreshToken(let token, let scope): RefreshTokenGrant(token: token, scope: scope)
        case .clientCredentials(let scope): ClientCredentialsGrant(scope: scope)
        case .deviceCode(let code): DeviceCodeGrant(code: code)
        case .backchannel(let requestID): BackchannelGrant(requestID: requestID)
        case .assertion(let assertion, let scope, let appAssertion):
            grant(of: assertion, scope, appAssertion.map { AppAssertion($0, over: assertion) })
        case .tokenExchange(let exchange): TokenExchangeGrant(exchange: exchange)
        case .passkey(let response, let scope): PasskeyGrant(response: response, scope: scope)
        }
    }

    /// The grant of an RFC 7523 assertion: a sign-in with PIN or with the key alone, a token of an
    /// issuer, or a session of an installation.
    private func grant(
        of assertion: String, _ scope: String?, _ app: AppAssertion?
    ) -> any TokenGrant {
        let jws = try? UnverifiedJWS(
            compact: assertion, maximumBytes: AssertionGrant.maximumBytes)
        if let jws {
            if let request = UnverifiedPINRequest(jws, length: assertion.utf8.count) {
                return PINGrant(request: request, scope: scope, app: app)
            }
            if let device = DeviceSessionGrant(jws, scope: scope, app: app) { return device }
        }
        return AssertionGrant(assertion: jws, scope: scope, app: app)
    }
}

/// Token requests send no notifications.
private struct NoNotifications: NotificationComposer {
    func write(_ notice: AccountNotification) -> (subject: String, text: String) { ("", "") }
}
