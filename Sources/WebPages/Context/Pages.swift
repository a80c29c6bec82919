// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
package import ProviderCore

/// The pages of the provider: what people see and press.
package struct Pages: Sendable {
    package let provider: Provider
    package let web: WebResources
    let renderer: PageRenderer
    let limits: AttemptLimits
    let flow: (any AuthorizationFlow)?
    let devices: (any DeviceFlow)?
    let signOuts: (any SignOutFlow)?

    /// - Parameters:
    ///   - flow: the authorizations that wait for people; `nil` serves accounts only.
    ///   - devices: the devices that wait for people.
    ///   - signOuts: the clients that want people signed out.
    package init(
        provider: Provider, web: WebResources, flow: (any AuthorizationFlow)? = nil,
        devices: (any DeviceFlow)? = nil, signOuts: (any SignOutFlow)? = nil,
        limits: AttemptLimits = AttemptLimits()
    ) {
        self.provider = provider
        self.web = web
        self.flow = flow
        self.devices = devices
        self.signOuts = signOuts
        self.limits = limits
        renderer = web.renderer
    }

    /// Every page and what belongs to it.
    package var groups: [any HTTPRouteGroup] {
        [
            AssetRoutes(web), BrowserClientRoutes(web.browserClient), HomePage(pages: self),
            SignInPages(pages: self),
            UpstreamPages(pages: self),
            UpstreamSignOutPages(pages: self),
            RegistrationPages(pages: self), PasskeyRoutes(pages: self),
            ContinuationPages(pages: self), AccountChoicePages(pages: self),
            StepUpPages(pages: self), DevicePages(pages: self),
            SignOutPages(pages: self),
            AccountPages(pages: self), AccountFormPages(pages: self), ResumptionPages(pages: self),
            RecoveryPages(pages: self), HandoffPages(pages: self), ReRegistrationPages(pages: self),
            InvitationPages(pages: self), FirstPasswordPages(pages: self),
            AuditPage(pages: self),
        ]
    }

    /// A page that shows something.
    package func page(
        _ pattern: String, _ show: @escaping @Sendable (PageContext) async throws -> ServerResponse
    ) -> HTTPRoute {
        HTTPRoute(.get, pattern, bodyLimit: 0) { request in
            guard let query = try? request.queryForm() else {
                return ErrorPages(pages: self).badRequest(request)
            }
            let visit = try await PageContext(request, query: query, pages: self)
            return visit.addingCookies(try await show(visit))
        }
    }

    /// What a form does. Only forms of our own pages, in the browser that they were given to.
    ///
    /// - Parameter bodyLimit: in bytes.
    package func form(
        _ pattern: String, bodyLimit: Int = HTTPRoute.usualBodyLimit,
        _ take: @escaping @Sendable (PageContext, FormParameters) async throws -> ServerResponse
    ) -> HTTPRoute {
        HTTPRoute(.post, pattern, bodyLimit: bodyLimit) { request in
            let errors = ErrorPages(pages: self)
            guard CSRFProtection.isSameOrigin(request, issuer: provider.issuer) else {
                return errors.forged(request)
            }
            guard let query = try? request.queryForm(), let form = try? request.form() else {
                return errors.badRequest(request)
            }
            let visit = try await PageContext(request, query: query, pages: self, form: form)
            guard CSRFProtection.isToken(form["form_token"], expected: visit.formToken) else {
                return visit.addingCookies(errors.stale(visit))
            }
            return visit.addingCookies(try await take(visit, form))
        }
    }
}
