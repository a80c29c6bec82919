// SPDX-License-Identifier: Apache-2.0
package import AdminEndpoints
package import HTTPServer
package import WebPages

/// The console, `/console`: what the Admin API can do, as pages for people with a role.
package struct ConsolePages: HTTPRouteGroup {
    private let frame: ConsoleRouteGuard

    /// - Parameters:
    ///   - pages: what pages are drawn with.
    ///   - api: whose functions the console calls.
    package init(_ pages: Pages, _ api: AdminAPI) {
        frame = ConsoleRouteGuard(pages, api)
    }

    package func routes() -> [HTTPRoute] {
        let routes: [[HTTPRoute]] = [
            ConsoleOverview(frame).routes,
            ConsoleProjectPages(frame).routes,
            ConsoleRestore.routes(frame),
            ConsolePeoplePages(frame).routes,
            ConsolePersonForms(frame).routes,
            ConsolePersonDetails(frame).routes,
            ConsolePersonApprovals(frame).routes,
            ConsoleGroupPages(frame).routes,
            ConsoleDevicePages(frame).routes,
            ConsoleClientPages(frame).routes,
            ConsoleTestKeyPages(frame).routes,
            ConsoleIssuerKeyPages(frame).routes,
            ConsoleEntitlementPages(frame).routes,
            ConsoleSequencePages(frame).routes,
            ConsoleManyPeoplePages(frame).routes,
            ConsoleRegistrationTokenPages(frame).routes,
            ConsoleAPITokenPages(frame).routes,
            ConsoleRulesPage.all.flatMap { $0.routes(frame) },
            ConsoleEncryptionKeyPages(frame).routes,
            ConsoleSigningKeyPages(frame).routes,
            ConsoleAuditPages(frame).routes,
            ConsoleAdministratorPages(frame).routes,
            ConsoleStatePages(frame).routes,
        ]
        return routes.flatMap { $0 }
    }
}
