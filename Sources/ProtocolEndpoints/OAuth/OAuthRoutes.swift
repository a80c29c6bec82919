// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
package import ProviderCore
package import WebPages

/// Every endpoint of OAuth 2 and OpenID Connect.
package struct OAuthRoutes: HTTPRouteGroup {
    private let groups: [any HTTPRouteGroup]

    /// - Parameters:
    ///   - translations: Texts of the page that posts a response to its client, and of mails.
    ///   - errorPage: Renders the error page if the error must not be sent to the client.
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
