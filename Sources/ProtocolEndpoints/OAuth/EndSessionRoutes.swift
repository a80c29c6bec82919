// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import OAuth
import ProviderCore
import ProviderTokens
import WebPages

/// `/end_session` by GET and POST (RP-Initiated Logout 1.0 section 2).
struct EndSessionRoutes: HTTPRouteGroup {
    let provider: Provider
    let errorPage: Dispatcher.ErrorPage?

    private var message: FrontChannelRequest {
        FrontChannelRequest(errorPage: errorPage) { error, request in
            EndSessionEndpoint(provider).refuse(unreadable: error.message, facts: request.facts)
        }
    }

    func routes() -> [HTTPRoute] { message.routes("/end_session", respond: respond) }

    private func respond(
        _ request: ServerRequest, _ form: FormParameters
    ) async throws -> ServerResponse {
        let signedIn = try await request.signedIn(provider)
        let step = try await EndSessionEndpoint(provider).begin(
            parameters: form.values, tenant: request.tenant, facts: request.facts,
            signedIn: signedIn)
        let page = request.tenant.pathPrefix + "/sign-out"
        switch step {
        case .page(let refusal): return message.refuse(refusal, request)
        case .confirm(let handle, _):
            return .redirect(
                to: page + "?" + FormEncoding.encode([(name: "continue", value: handle)]))
        case .signedOut(let redirect):
            let onward = try signedIn.flatMap {
                try UpstreamSignOutPages.onward($0, place: redirect, provider, request)
            }
            var response = ServerResponse.redirect(to: onward ?? redirect ?? page)
            response.setCookie(
                SiteCookies(tenant: request.tenant, isSecure: request.isSecure).session, "",
                isSecure: request.isSecure, maxAge: 0)
            return response
        }
    }
}
