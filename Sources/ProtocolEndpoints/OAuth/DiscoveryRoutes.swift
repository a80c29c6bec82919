// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import ProviderCore
import ProviderUpstream
import Storage
import WebAuthn

/// What an issuer publishes about itself.
struct DiscoveryRoutes: HTTPRouteGroup {
    let provider: Provider

    /// Relying parties may keep the documents this long; a next key is published far earlier.
    private static let lifetime = 300

    /// RFC 8414's form with the well-known part before the issuer's path (`/.well-known/NAME/auth`,
    /// `/.well-known/NAME/auth/p/PROJECT`) comes here too: the shell reads it as the project's.
    func routes() -> [HTTPRoute] {
        [
            open("/.well-known/openid-configuration") { metadata(of: $0.tenant) },
            open("/.well-known/oauth-authorization-server") { metadata(of: $0.tenant) },
            open("/.well-known/gatehouse") {
                .publicJSON(
                    provider.documents.gatehouse(of: $0.tenant), seconds: Self.lifetime)
            },
            open("/.well-known/webauthn", isOfHost: true) { relatedOrigins(of: $0.tenant) },
            open("/.well-known/apple-app-site-association", isOfHost: true) {
                associatedApps(of: $0.tenant)
            },
            open("/.well-known/assetlinks.json", isOfHost: true) { assetLinks(of: $0.tenant) },
            open("/jwks") {
                .publicJSON(
                    try await provider.jwks(of: $0.tenant), seconds: Self.lifetime)
            },
            // For providers that encrypt ID tokens for us (docs/federation.md).
            open("/jwks/federation") {
                .publicJSON(
                    try await provider.upstreamKeySet(of: $0.tenant), seconds: Self.lifetime)
            },
        ]
    }

    /// - Parameter isOfHost: whether systems look for it at the host, whatever the issuer's path is.
    private func open(
        _ pattern: String, isOfHost: Bool = false, _ handler: @escaping Handler
    ) -> HTTPRoute {
        HTTPRoute(
            .get, pattern, bodyLimit: 0, origins: .everyone, isOfHost: isOfHost, handler: handler)
    }

    /// WebAuthn Level 3 section 5.11. Browsers ask the RP ID's host, so the list of the default
    /// project is the one that counts; too long a one was refused when it was set.
    private func relatedOrigins(of tenant: Tenant) -> ServerResponse {
        let listed = try? RelatedOrigins(tenant.project.policy.webauthn.relatedOrigins)
        let document = listed?.json ?? ["origins": []]
        return .publicJSON(document.bytes, seconds: Self.lifetime)
    }

    /// JSON over TLS without a redirect, of the host as well, so that the apps of the default
    /// project are the ones that count.
    private func associatedApps(of tenant: Tenant) -> ServerResponse {
        let document = AssociationDocument(tenant.project.policy.associatedApps)
        return .publicJSON(document.json, seconds: Self.lifetime)
    }

    /// As ``associatedApps(of:)``, for apps on Android.
    private func assetLinks(of tenant: Tenant) -> ServerResponse {
        .publicJSON(AssetLinksDocument(tenant.project).json, seconds: Self.lifetime)
    }

    private func metadata(of tenant: Tenant) -> ServerResponse {
        .publicJSON(provider.documents.metadata(of: tenant), seconds: Self.lifetime)
    }
}
