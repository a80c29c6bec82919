// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import OAuth

/// `/authorize` by GET and POST (OpenID Connect Core section 3.1.2.1).
struct AuthorizationRoutes: RouteGroup {
    let provider: Provider
    let errorPage: Dispatcher.ErrorPage?

    func routes() -> [Route] {
        [
            Route(.get, "/authorize", bodyLimit: 0) { request in
                try await respond(request) { () throws(FormError) in try request.queryForm() }
            },
            Route(.post, "/authorize") { request in
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
        let step = try await AuthorizationEndpoint(provider).begin(
            parameters: form.values, tenant: request.tenant, facts: request.facts,
            signedIn: try await request.signedIn(provider))
        switch step {
        case .page(let refusal): return refuse(refusal, request)
        case .answer(let answer): return AuthorizationAnswer.response(answer)
        case .interaction(let interaction): return ask(interaction, request, form)
        }
    }

    private func ask(
        _ interaction: Interaction, _ request: ServerRequest, _ form: Form
    ) -> ServerResponse {
        let page =
            switch interaction.need {
            case .signIn, .selectAccount: "/sign-in"
            case .consent: "/consent"
            }
        var query = [(name: "continue", value: interaction.handle)]
        if let locales = form["ui_locales"], !locales.isEmpty {
            query.append((name: "ui_locales", value: locales))
        }
        return .redirect(
            to: request.tenant.pathPrefix + page + "?" + FormEncoding.encode(query))
    }

    private func refuse(_ refusal: Refusal, _ request: ServerRequest) -> ServerResponse {
        let status: HTTPResponse.Status = .badRequest
        if let errorPage, request.wantsPage { return errorPage(request, status, refusal) }
        return Problem.response(refusal, status: status, requestID: request.facts.requestID)
    }
}

extension ServerRequest {
    /// Whom the browser's cookie speaks for.
    func signedIn(_ provider: Provider) async throws -> SignedIn? {
        let name = SiteCookies(tenant: tenant, isSecure: isSecure).session
        return try await SessionCeremony(provider: provider).current(
            cookie: cookie(name), tenant: tenant, facts: facts)
    }
}
