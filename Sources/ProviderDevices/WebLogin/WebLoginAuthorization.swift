// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import Primitives
package import ProviderCore
package import ProviderTokens
import Storage

/// The start of a web login: a request that the device signed, which is converted to an ordinary
/// authorization request with the same pages and rules.
///
/// The person must sign in each time. A browser session is not sufficient for a login on a device.
package struct WebLoginAuthorization: Sendable {
    private let context: CeremonyContext
    private let place: PlatformSSOEndpointInfo

    package static let action = "device.web-login"

    package init(_ context: CeremonyContext) {
        self.context = context
        place = PlatformSSOEndpointInfo(context.tenant)
    }

    /// - Parameter message: The compact JWS that was posted as `request`.
    package func begin(_ message: String) async throws -> AuthorizationStep {
        let request: UnverifiedAuthorizationRequest
        do throws(PlatformSSORefusal) {
            guard place.allows(.webLogin) else {
                throw PlatformSSORefusal(.grantUnsupported, "web logins are not allowed here")
            }
            guard
                case .authorization(let read) = try UnverifiedRequest(compact: Array(message.utf8))
            else { throw PlatformSSORefusal(.typeMismatch, "not an authorization request") }
            request = read
        } catch { return try await refuse(error) }
        let found = try await RegisteredDevice.find(
            request.message.signingKeyID, in: context.tenant, context.provider, now: context.now)
        guard let device = found,
            let client = try await PlatformSSOClient(
                provider: context.provider, tenant: context.tenant
            ).find()
        else {
            return try await refuse(
                PlatformSSORefusal(.deviceUnknown, "no active device has that signing key"))
        }
        switch RequestVerifier(place.expectation).verify(
            request, device: device.keys, now: context.now)
        {
        case .failure(let refusal): return try await refuse(refusal)
        case .success(let verified):
            return try await proceed(verified, device.device, client)
        }
    }

    private func proceed(
        _ request: VerifiedAuthorizationRequest, _ device: Device, _ client: RegisteredClient
    ) async throws -> AuthorizationStep {
        guard try await context.nonces(for: .device).consume(request.state) else {
            return try await refuse(
                PlatformSSORefusal(.stateMismatch, "state is not ours, too old, or used before"))
        }
        return try await AuthorizationEndpoint(context.provider).begin(
            parameters: parameters(request, device, client), tenant: context.tenant,
            facts: context.facts, signedIn: nil)
    }

    /// The parameters of the authorization request. The device requests the scopes of its profile,
    /// always with `offline_access`; those that the client may not have are omitted.
    private func parameters(
        _ request: VerifiedAuthorizationRequest, _ device: Device, _ client: RegisteredClient
    ) -> [String: String] {
        let binding = WebLoginBinding(
            device: device.id, state: request.state, nonce: request.nonce)
        let verifier = binding.verifier(context.provider.secrets)
        var parameters = [
            "client_id": place.policy.clientID, "redirect_uri": request.redirectURI,
            "response_type": "code",
            "scope": request.scope.intersection(client.grantableScope).text,
            "state": request.state,
            "nonce": request.nonce, "prompt": "login",
            "code_challenge": CodeChallenge.s256(of: verifier),
            "code_challenge_method": "S256",
        ]
        parameters["login_hint"] = request.loginHint
        return parameters
    }

    /// Displays the refusal on a page, because the request contains no trusted redirect URI.
    private func refuse(_ reason: PlatformSSORefusal) async throws -> AuthorizationStep {
        .page(try await context.refuseStranger(Refusal(reason), Self.action))
    }
}
