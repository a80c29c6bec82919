// SPDX-License-Identifier: Apache-2.0
import AdminConsole
package import AdminEndpoints
package import HTTPServer
package import ProtocolEndpoints
package import ProviderAdministration
package import ProviderCore
import WebPages

/// All routes of a provider: pages, protocol endpoints, Admin API and console.
package struct ProviderRoutes: Sendable {
    package let groups: [any HTTPRouteGroup]
    /// Creates the page for an error that a person sees.
    package let errorPage: Dispatcher.ErrorPage

    /// - Parameters:
    ///   - limits: of sign-in attempts.
    ///   - backups: for backups that the Admin API makes; `nil` refuses them.
    ///   - sign: signs configuration profiles; `nil` leaves them unsigned.
    ///   - fidoConformance: whether the endpoints for the conformance tools of FIDO exist.
    package init(
        _ provider: Provider, limits: AttemptLimits, adminToken: AdminToken,
        backups: BackupDirectory?, sign: SetupAssistantRoutes.Signature?, fidoConformance: Bool
    ) throws {
        let web = try WebResources()
        let flows = EndpointFlows(provider, translations: web.translations)
        let pages = Pages(
            provider: provider, web: web, flow: flows, devices: flows, signOuts: flows,
            limits: limits)
        let errors = ErrorPages(pages: pages)
        let notices = LocalizedNotificationComposer(web.translations)
        let admin = AdminAPI(
            provider, token: adminToken, notices: notices, backups: backups)
        var groups: [any HTTPRouteGroup] =
            pages.groups + [
                OAuthRoutes(
                    provider: provider, translations: web.translations, errorPage: errors.page),
                RegistrationRoutes(provider, limits: limits, notices: notices),
                EntitlementRoutes(provider, notices: notices),
                PlatformSSORoutes(provider, limits: limits, notices: notices),
                WebLoginRoutes(provider, notices: notices, errorPage: errors.page),
                SetupAssistantRoutes(
                    provider, notices: notices, errorPage: errors.page, sign: sign),
                admin, ConsolePages(pages, admin),
            ]
        if fidoConformance { groups.append(ConformanceRoutes(provider)) }
        self.groups = groups
        errorPage = errors.page
    }
}
