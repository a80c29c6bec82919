// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import OAuth
import ProviderCore
import ProviderTokens
import ProviderUpstream
import WebPages

/// `/authorize` by GET and POST (OpenID Connect Core section 3.1.2.1).
struct AuthorizationRoutes: HTTPRouteGroup {
    let provider: Provider
    let translations: Translations
    let errorPage: Dispatcher.ErrorPage?

    private var message: FrontChannelRequest {
        FrontChannelRequest(errorPage: errorPage) { error, request in
            try await AuthorizationEndpoint(provider).refuse(
                unreadable: error.message, clientID: request.firstClientID,
                tenant: request.tenant, facts: request.facts)
        }
    }

    func routes() -> [HTTPRoute] { message.routes("/authorize", respond: respond) }

    private func respond(
        _ request: ServerRequest, _ form: FormParameters
    ) async throws -> ServerResponse {
        let step = try await AuthorizationEndpoint(provider).begin(
            parameters: form.values, tenant: request.tenant, facts: request.facts,
            signedIn: try await request.signedIn(provider))
        switch step {
        case .page(let refusal): return message.refuse(refusal, request)
        case .answer(let answer):
            return AuthorizationResponsePage.response(
                answer, in: request.language(among: translations, asked: form["ui_locales"]),
                below: request.tenant.pathPrefix)
        case .interaction(let interaction):
            if case .otherAccount(let refusal) = interaction.need, !request.wantsPage {
                return Problem.response(
                    refusal, status: .forbidden, requestID: request.facts.requestID)
            }
            return Self.ask(interaction, request.tenant, locales: form["ui_locales"])
        }
    }

    /// Sends the person to the page that asks what the request needs.
    static func ask(
        _ interaction: Interaction, _ tenant: Tenant, locales: String? = nil
    ) -> ServerResponse {
        let page =
            switch interaction.need {
            case .signIn:
                interaction.identityProvider.map(UpstreamAuthorizationRedirect.path) ?? "/sign-in"
            case .selectAccount: "/choose-account"
            case .consent: "/consent"
            case .stepUp: "/step-up"
            case .secondWayIn: "/second-way"
            case .otherAccount: "/continue"
            }
        var query = [(name: "continue", value: interaction.handle)]
        if let locales, !locales.isEmpty {
            query.append((name: "ui_locales", value: locales))
        }
        return .redirect(
            to: tenant.pathPrefix + page + "?" + FormEncoding.encode(query))
    }
}

extension ServerRequest {
    /// The first `client_id` of a query that cannot be read as a whole.
    fileprivate var firstClientID: String? {
        query?.split(separator: "&").first { $0.hasPrefix("client_id=") }
            .flatMap { FormEncoding.decode(Array($0.dropFirst("client_id=".count).utf8)) }
    }

    /// Returns the session of the browser's cookie.
    func signedIn(_ provider: Provider) async throws -> AuthenticatedSession? {
        let name = SiteCookies(tenant: tenant, isSecure: isSecure).session
        return try await SessionService(provider: provider).current(
            cookie: cookie(name), tenant: tenant, facts: facts)
    }
}
