// SPDX-License-Identifier: Apache-2.0
package import IdentityProvider

/// Every endpoint of OAuth 2 and OpenID Connect.
package struct OAuthRoutes: HTTPRouteGroup {
    private let groups: [any HTTPRouteGroup]

    /// - Parameters:
    ///   - translations: for the page that posts an answer to its client, and for mails.
    ///   - errorPage: draws the page for a person whom no client may be trusted with.
    package init(
        provider: Provider, translations: Translations, errorPage: Dispatcher.ErrorPage? = nil
    ) {
        groups = [
            DiscoveryRoutes(provider: provider),
            AuthorizationRoutes(
                provider: provider, translations: translations, errorPage: errorPage),
            TokenRoutes(provider: provider),
            UserInfoRoutes(provider: provider),
            EndSessionRoutes(provider: provider, errorPage: errorPage),
            UpstreamLogoutRoutes(
                provider: provider, notices: LocalizedNotificationComposer(translations)),
        ]
    }

    package func routes() -> [HTTPRoute] { groups.flatMap { $0.routes() } }
}
