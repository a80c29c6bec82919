// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import ProviderCore
import ProviderUpstream

/// The logout endpoints of an upstream provider, back-channel and front-channel. Neither needs a
/// cookie.
struct UpstreamLogoutRoutes: HTTPRouteGroup {
    let provider: Provider
    let notices: any NotificationComposer

    func routes() -> [HTTPRoute] {
        let path = UpstreamLogout.path("{provider}")
        return [
            HTTPRoute(.post, path, bodyLimit: 65_536) { try await backChannel($0) },
            HTTPRoute(.get, path, bodyLimit: 0) { try await frontChannel($0) },
        ]
    }

    /// OpenID Connect Back-Channel Logout 1.0 sections 2.5 and 2.8.
    private func backChannel(_ request: ServerRequest) async throws -> ServerResponse {
        guard let form = try? request.form(), let token = form["logout_token"], !token.isEmpty
        else { return OAuthError.invalidRequest("Send a logout_token in a form.") }
        switch try await UpstreamLogout(context(request)).run(token, from: name(request)) {
        case .success:
            return ServerResponse(status: .ok, headers: [.cacheControl: "no-store"])
        case .failure(let refusal) where refusal.retryAfter != nil:
            return Problem.response(
                .serviceUnavailable, code: refusal.code, message: "Try again later.",
                requestID: request.facts.requestID)
        case .failure:
            return OAuthError.invalidRequest("The logout_token is not accepted.")
        }
    }

    /// OpenID Connect Front-Channel Logout 1.0 section 2. The response is the same for all
    /// sessions. Only the provider's pages may embed it in a frame.
    private func frontChannel(_ request: ServerRequest) async throws -> ServerResponse {
        let query = try? request.queryForm()
        let holders = try await UpstreamLogout(context(request)).run(
            issuer: query?["iss"], session: query?["sid"], from: name(request))
        guard let holders else {
            return Problem.response(
                .badRequest, code: "invalid_request",
                message: "Send iss and sid of the provider and its session.",
                requestID: request.facts.requestID)
        }
        var response = ServerResponse.html("<!doctype html><title>Signed out</title>")
        let ancestors = holders.joined(separator: " ")
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; base-uri 'none'; frame-ancestors \(ancestors)"
        return response
    }

    private func context(_ request: ServerRequest) -> CeremonyContext {
        CeremonyContext(
            provider: provider, tenant: request.tenant, facts: request.facts, writer: notices)
    }

    private func name(_ request: ServerRequest) -> String { request.parameters["provider"] ?? "" }
}
