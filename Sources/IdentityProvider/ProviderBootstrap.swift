// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
package import ProviderCore
import ProviderTokens
package import Storage

/// The records that every installation has after its first start.
package enum ProviderBootstrap {
    /// The public client of `gatehouse login`: loopback redirect with any port, device grant.
    package static let commandLineClientID = "gatehouse-cli"

    /// Creates the project `default`, its keys and the command's client if they do not exist. If
    /// two processes start concurrently, the store saves the first of each.
    ///
    /// - Parameter environment: the environment of a new project. The default depends on the
    ///   issuer.
    package static func ensureDefaults(
        _ provider: Provider, environment: Project.Environment? = nil
    ) async throws {
        if try await provider.store.projects.project(named: "default") == nil {
            _ = try await provider.store.projects.add(
                Project.new("default", environment: environment, at: provider))
            provider.tenants.invalidate()
        }
        guard let tenant = try await provider.tenant(named: "default") else {
            throw SetUpError.noDefaultProject
        }
        _ = try await provider.keys.signer(for: tenant)
        try await ensureCommandLineClient(provider, tenant)
    }

    private static func ensureCommandLineClient(
        _ provider: Provider, _ tenant: Tenant
    ) async throws {
        let project = tenant.project.id
        guard
            try await provider.store.clients.client(clientID: commandLineClientID, in: project)
                == nil
        else { return }
        let now = provider.clock.now
        _ = try await provider.store.clients.add(
            Client(
                id: Identifier(now: now, random: provider.random), project: project,
                clientID: commandLineClientID, metadata: commandLineMetadata, createdAt: now))
        provider.clients.invalidate()
    }

    private static var commandLineMetadata: ClientMetadata {
        var metadata = ClientMetadata()
        metadata.clientName = "Gatehouse command line"
        metadata.tokenEndpointAuthMethod = "none"
        metadata.grantTypes = [
            "authorization_code", "refresh_token", TokenRequest.deviceCodeGrantType,
        ]
        metadata.redirectURIs = ["http://127.0.0.1/callback", "http://[::1]/callback"]
        metadata.scope = "openid profile email groups offline_access"
        metadata.firstParty = true
        metadata.idTokenSignedResponseAlg = "ES256"
        return metadata
    }

    package enum SetUpError: Error { case noDefaultProject }
}
