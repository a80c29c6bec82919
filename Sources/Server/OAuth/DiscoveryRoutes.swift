// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider

/// What an issuer publishes about itself.
struct DiscoveryRoutes: RouteGroup {
    let provider: Provider

    /// Relying parties may keep the documents this long; a next key is published far earlier.
    private static let lifetime = 300

    /// RFC 8414's form with the well-known part before the path (`/.well-known/…/p/NAME`) comes
    /// here too: the shell reads it as the project's.
    func routes() -> [Route] {
        [
            open("/.well-known/openid-configuration") { metadata(of: $0.tenant) },
            open("/.well-known/oauth-authorization-server") { metadata(of: $0.tenant) },
            open("/.well-known/gatehouse") {
                .publicJSON(
                    provider.documents.gatehouse(of: $0.tenant), seconds: Self.lifetime)
            },
            open("/jwks") {
                .publicJSON(
                    try await provider.keys.jwks(of: $0.tenant), seconds: Self.lifetime)
            },
        ]
    }

    private func open(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route(.get, pattern, bodyLimit: 0, openToAllOrigins: true, handler: handler)
    }

    private func metadata(of tenant: Tenant) -> ServerResponse {
        .publicJSON(provider.documents.metadata(of: tenant), seconds: Self.lifetime)
    }
}
