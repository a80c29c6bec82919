// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import Primitives
package import ProviderCore
import Storage

/// The OAuth client of devices. It is created if the settings name a client that does not exist. It
/// is a public client with authorization codes and loopback redirects for people who register a
/// device, and with the callback URLs of web logins. It has no refresh token grant at the token
/// endpoint, because devices do not prove their keys there.
package struct PlatformSSOClient: Sendable {
    package let provider: Provider
    package let tenant: Tenant

    package init(provider: Provider, tenant: Tenant) {
        self.provider = provider
        self.tenant = tenant
    }

    /// The path of the callback of a sign-in during the setup of a Mac.
    package static let setupCallbackPath = "/platform-sso/setup/callback"

    /// Returns `nil` if it is disabled.
    package func find() async throws -> RegisteredClient? {
        let clientID = tenant.project.policy.platformSSO.clientID
        if let found = try await provider.registeredClient(clientID, of: tenant) {
            return found.client.disabled ? nil : found
        }
        let now = provider.clock.now
        _ = try await provider.store.clients.add(
            Client(
                id: Identifier(now: now, random: provider.random), project: tenant.project.id,
                clientID: clientID, metadata: metadata, createdAt: now))
        provider.clients.invalidate()
        return try await provider.registeredClient(clientID, of: tenant)
    }

    private var metadata: ClientMetadata {
        var metadata = ClientMetadata()
        metadata.clientName = "Platform SSO"
        metadata.tokenEndpointAuthMethod = "none"
        metadata.grantTypes = ["authorization_code", TokenRequest.deviceCodeGrantType]
        metadata.redirectURIs = [
            "http://127.0.0.1/callback", "http://[::1]/callback", WebLoginCallback.address,
            tenant.issuer + Self.setupCallbackPath,
        ]
        metadata.scope =
            "openid profile email groups offline_access \(ProviderScope.platformSSO)"
        metadata.firstParty = true
        metadata.idTokenSignedResponseAlg = "ES256"
        return metadata
    }
}

extension Provider {
    /// Like ``registeredClient(_:of:)``. Creates the client of devices if it does not exist,
    /// because people sign in to it before the first device is registered.
    func knownClient(_ clientID: String, of tenant: Tenant) async throws -> RegisteredClient? {
        if let found = try await registeredClient(clientID, of: tenant) { return found }
        let policy = tenant.project.policy.platformSSO
        guard policy.enabled, policy.clientID == clientID else { return nil }
        return try await PlatformSSOClient(provider: self, tenant: tenant).find()
    }
}
