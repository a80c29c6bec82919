// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import OAuth

/// `/end_session` by GET and POST (RP-Initiated Logout 1.0 section 2).
struct EndSessionRoutes: RouteGroup {
    let provider: Provider
    let errorPage: Dispatcher.ErrorPage?

    func routes() -> [Route] {
        [
            Route(.get, "/end_session", bodyLimit: 0) { request in
                try await respond(request) { () throws(FormError) in try request.queryForm() }
            },
            Route(.post, "/end_session") { request in
                try await respond(request) { () throws(FormError) in try request.form() }
            },
        ]
    }

    private func respond(
        _ request: ServerRequest, _ read: () throws(FormError) -> Form
    ) async throws -> ServerResponse {
        let form: Form
        do throws(FormError) {
            form = try read()
        } catch {
            return refuse(
                Refusal(ErrorCode.invalidRequest, error.message, reason: "form"), request)
        }
        let step = try await EndSessionEndpoint(provider).begin(
            parameters: form.values, tenant: request.tenant, facts: request.facts,
            signedIn: try await request.signedIn(provider))
        let page = request.tenant.pathPrefix + "/sign-out"
        switch step {
        case .page(let refusal): return refuse(refusal, request)
        case .confirm(let handle, _):
            return .redirect(
                to: page + "?" + FormEncoding.encode([(name: "continue", value: handle)]))
        case .signedOut(let redirect):
            var response = ServerResponse.redirect(to: redirect ?? page)
            response.setCookie(
                SiteCookies(tenant: request.tenant, isSecure: request.isSecure).session, "",
                isSecure: request.isSecure, maxAge: 0)
            return response
        }
    }

    private func refuse(_ refusal: Refusal, _ request: ServerRequest) -> ServerResponse {
        if let errorPage, request.wantsPage { return errorPage(request, .badRequest, refusal) }
        return Problem.response(refusal, requestID: request.facts.requestID)
    }
}
