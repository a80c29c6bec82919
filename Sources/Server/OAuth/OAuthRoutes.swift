// SPDX-License-Identifier: Apache-2.0
package import IdentityProvider

/// Every endpoint of OAuth 2 and OpenID Connect.
package struct OAuthRoutes: RouteGroup {
    private let groups: [any RouteGroup]

    /// - Parameter errorPage: draws the page for a person whom no client may be trusted with.
    package init(provider: Provider, errorPage: Dispatcher.ErrorPage? = nil) {
        groups = [
            DiscoveryRoutes(provider: provider),
            AuthorizationRoutes(provider: provider, errorPage: errorPage),
            TokenRoutes(provider: provider),
            UserInfoRoutes(provider: provider),
            EndSessionRoutes(provider: provider, errorPage: errorPage),
        ]
    }

    package func routes() -> [Route] { groups.flatMap { $0.routes() } }
}
