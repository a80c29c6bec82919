// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
package import Primitives
package import ProviderCore
import ProviderTokens
import Storage

/// The response of `federationUserPreauthenticationURL` for a configuration with `dynamicOpenID`:
/// the start of a web login. The URL is in `authorizationURL`, and the request must be signed.
///
/// It is the same for all names, so it does not reveal who has an account. Issuing it stores
/// nothing: `state` is a nonce of ``StatelessNonce``.
package struct WebLoginDiscovery: Sendable {
    private let provider: Provider
    private let tenant: Tenant

    package init(_ provider: Provider, of tenant: Tenant) {
        self.provider = provider
        self.tenant = tenant
    }

    /// Returns `nil` if the project offers no web login.
    package func json(now: Timestamp) -> [UInt8]? {
        let place = PlatformSSOEndpointInfo(tenant)
        guard place.isOpen, place.allows(.webLogin) else { return nil }
        let state = StatelessNonce(for: .device, of: tenant, in: provider, now: now).make()
        let nonce = provider.newSecret()
        let request: JSONValue = [
            "client_id": .string(place.policy.clientID), "nonce": .string(nonce),
            "redirect_uri": .string(WebLoginCallback.address), "response_type": "code",
            "scope": .string("openid offline_access \(ProviderScope.platformSSO)"),
            "state": .string(state),
        ]
        let answer: JSONValue = [
            "authorizationURL": .string("\(place.authorizeURL)?state=\(state)&nonce=\(nonce)"),
            "authorizationRequest": request,
        ]
        return answer.bytes
    }
}
