// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
import OAuth
package import ProviderCore
import ProviderDevices
import ProviderTokens

/// The web login of macOS 27: where it begins, and where its signed request is posted.
package struct WebLoginRoutes: HTTPRouteGroup {
    private let provider: Provider
    private let notices: any NotificationComposer
    private let message: FrontChannelRequest

    package init(
        _ provider: Provider, notices: any NotificationComposer,
        errorPage: Dispatcher.ErrorPage? = nil
    ) {
        self.provider = provider
        self.notices = notices
        message = FrontChannelRequest(errorPage: errorPage)
    }

    package func routes() -> [HTTPRoute] {
        [
            HTTPRoute(.get, PlatformSSOEndpointInfo.webLoginPath, bodyLimit: 0) { discover($0) },
            HTTPRoute(.post, PlatformSSOEndpointInfo.authorizePath) { try await authorize($0) },
        ]
    }

    private func discover(_ request: ServerRequest) -> ServerResponse {
        let discovery = WebLoginDiscovery(provider, of: request.tenant)
        guard let body = discovery.json(now: request.facts.now) else {
            return .json(
                Array(
                    #"{"error":"not_found","error_description":"No web login is offered here."}"#
                        .utf8), status: .notFound)
        }
        return .json(body)
    }

    private func authorize(_ request: ServerRequest) async throws -> ServerResponse {
        guard PlatformSSOEndpointInfo(request.tenant).isOpen, let form = try? request.form(),
            let text = form["request"]
        else {
            return message.refuse(
                Refusal(
                    "request_missing", "This page can only be opened by a Mac during a sign-in.",
                    reason: "no signed request"), request)
        }
        let context = CeremonyContext(
            provider: provider, tenant: request.tenant, facts: request.facts, writer: notices)
        switch try await WebLoginAuthorization(context).begin(text) {
        case .page(let refusal): return message.refuse(refusal, request)
        case .answer(let answer): return .redirect(to: answer.location)
        case .interaction(let interaction):
            return AuthorizationRoutes.ask(interaction, request.tenant)
        }
    }
}
