// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import OAuth
import ProviderCore
import ProviderTokens
import Storage

extension CORSPolicy {
    /// Pages of the provider, and of the origins of the client's redirect URIs.
    static func ofClient(of provider: Provider) -> CORSPolicy {
        .ofClient { origin, clientID, tenant in
            guard let client = try await provider.registeredClient(clientID, of: tenant),
                !client.client.disabled
            else { return false }
            return client.redirectURIs.contains { SiteOrigin(issuer: $0.text)?.origin == origin }
        }
    }
}
