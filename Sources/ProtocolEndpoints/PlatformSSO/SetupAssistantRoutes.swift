// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
import OAuth
package import Primitives
package import ProviderCore
import ProviderDevices
import ProviderTokens
import WebPages

/// The endpoints for a Mac in Setup Assistant: the response for its device management, the profile,
/// and the sign-in with its redirect into the system.
package struct SetupAssistantRoutes: HTTPRouteGroup {
    /// Returns the signed form of a profile, at a time.
    package typealias Signature =
        @Sendable (_ profile: [UInt8], _ time: Timestamp) throws -> [UInt8]

    private let provider: Provider
    private let notices: any NotificationComposer
    private let message: FrontChannelRequest
    private let sign: Signature?

    /// - Parameter sign: `nil` where profiles are not signed.
    package init(
        _ provider: Provider, notices: any NotificationComposer,
        errorPage: Dispatcher.ErrorPage? = nil,
        sign: Signature? = nil
    ) {
        self.sign = sign
        self.provider = provider
        self.notices = notices
        message = FrontChannelRequest(errorPage: errorPage)
    }

    /// In seconds; signing in may take a while.
    private static let cookieLifetime: Int64 = 1800

    package func routes() -> [HTTPRoute] {
        [
            HTTPRoute(.get, SetupAssistant.requirementPath, bodyLimit: 0) { request in
                answer(request) { .json($0.requirement, status: .forbidden) }
            },
            HTTPRoute(.get, SetupAssistant.profilePath, bodyLimit: 0) { request in
                try answer(request) { setup in
                    guard let profile = setup.profile() else { return Self.closed }
                    return ServerResponse(
                        status: .ok,
                        headers: [
                            .contentType: SetupAssistant.profileType, .cacheControl: "no-store",
                        ], body: try sign?(profile, request.facts.now) ?? profile)
                }
            },
            HTTPRoute(.get, SetupAssistant.signInPath, bodyLimit: 0) { try await begin($0) },
            HTTPRoute(.get, SetupAssistant.callbackPath, bodyLimit: 0) { try await finish($0) },
        ]
    }

    private func answer(
        _ request: ServerRequest, _ respond: (SetupAssistant) throws -> ServerResponse
    ) rethrows -> ServerResponse {
        let setup = SetupAssistant(request.tenant)
        return setup.isOffered ? try respond(setup) : Self.closed
    }

    private func begin(_ request: ServerRequest) async throws -> ServerResponse {
        guard SetupAssistant(request.tenant).isOffered else { return Self.closed }
        let secret = provider.newSecret()
        switch try await SetupAssistantSignIn(context(request)).begin(secret: secret) {
        case .page(let refusal): return message.refuse(refusal, request)
        case .answer(let answer): return .redirect(to: answer.location)
        case .interaction(let interaction):
            var response = AuthorizationRoutes.ask(interaction, request.tenant)
            response.setCookie(
                name(request), secret, isSecure: request.isSecure, maxAge: Self.cookieLifetime)
            return response
        }
    }

    private func finish(_ request: ServerRequest) async throws -> ServerResponse {
        guard SetupAssistant(request.tenant).isOffered else { return Self.closed }
        let form = try? request.queryForm()
        guard let code = form?["code"], let state = form?["state"],
            let secret = request.cookie(name(request))
        else {
            return message.refuse(
                Refusal(
                    "setup_refused", "This sign-in is expired. Start again on the Mac.",
                    reason: form?["error"] ?? "no code, state or cookie"), request)
        }
        switch try await SetupAssistantSignIn(context(request)).finish(
            code: code, state: state, secret: secret)
        {
        case .failure(let refusal): return message.refuse(refusal, request)
        case .success(let address):
            var response = ServerResponse(
                status: .permanentRedirect,
                headers: [.location: address, .cacheControl: "no-store"])
            response.setCookie(name(request), "", isSecure: request.isSecure, maxAge: 0)
            return response
        }
    }

    private func context(_ request: ServerRequest) -> CeremonyContext {
        CeremonyContext(
            provider: provider, tenant: request.tenant, facts: request.facts, writer: notices)
    }

    private func name(_ request: ServerRequest) -> String {
        SiteCookies(tenant: request.tenant, isSecure: request.isSecure).setUp
    }

    private static let closed = ServerResponse.json(
        Array(#"{"error":"not_found","error_description":"No set-up is offered here."}"#.utf8),
        status: .notFound)
}
