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
        let requester = Requester(
            context: CeremonyContext(
                provider: provider, tenant: tenant, facts: facts, writer: NoNotifications()),
            presented: presented)
        return switch request {
        case .authorizationCode(let code, let redirectURI, let verifier):
            try await requester.run(
                AuthorizationCodeGrant(code: code, redirectURI: redirectURI, verifier: verifier))
        case .refreshToken(let token, let scope):
            try await requester.run(RefreshTokenGrant(token: token, scope: scope))
        case .clientCredentials(let scope):
            try await requester.run(ClientCredentialsGrant(scope: scope))
        case .deviceCode(let code):
            try await requester.run(DeviceCodeGrant(code: code))
        case .backchannel(let requestID):
            try await requester.run(BackchannelGrant(requestID: requestID))
        case .assertion(let assertion, let scope, let appAssertion):
            try await run(
                assertion, scope, appAssertion.map { AppAssertion($0, over: assertion) }, requester)
        case .tokenExchange(let exchange):
            try await requester.run(TokenExchangeGrant(exchange: exchange))
        case .passkey(let response, let scope):
            try await requester.run(PasskeyGrant(response: response, scope: scope))
        }
    }

    /// Runs an RFC 7523 assertion: a sign-in with PIN or with the key alone, a token of an issuer,
    /// or a session of an installation.
    private func run(
        _ assertion: String, _ scope: String?, _ app: AppAssertion?, _ requester: Requester
    ) async throws -> Result<TokenResponse, Refusal> {
        let jws = try? UnverifiedJWS(
            compact: assertion, maximumBytes: AssertionGrant.maximumBytes)
        if let jws {
            if let request = UnverifiedPINRequest(jws, length: assertion.utf8.count) {
                return try await requester.run(PINGrant(request: request, scope: scope, app: app))
            }
            if let device = DeviceSessionGrant(jws, scope: scope, app: app) {
                return try await requester.run(device)
            }
        }
        return try await requester.run(AssertionGrant(assertion: jws, scope: scope, app: app))
    }
}

/// The sender of a token request, before the client is authenticated.
private struct Requester {
    let context: CeremonyContext
    let presented: PresentedClient

    func run(_ grant: some TokenGrant) async throws -> Result<TokenResponse, Refusal> {
        try await CeremonyRunner(context).run(TokenCeremony(grant, from: presented))
    }
}

/// Token requests send no notifications.
private struct NoNotifications: NotificationComposer {
    func write(_ notice: AccountNotification) -> (subject: String, text: String) { ("", "") }
}
