// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import OAuth
import ProviderCore
import ProviderInstallations
import ProviderTokens

/// What clients ask directly: tokens, and about tokens.
struct TokenRoutes: HTTPRouteGroup {
    let provider: Provider

    func routes() -> [HTTPRoute] {
        [
            HTTPRoute(.post, "/token", origins: .ofClient(of: provider)) { try await token($0) },
            HTTPRoute(.post, "/introspect") { try await introspect($0) },
            HTTPRoute(.post, "/revoke", origins: .ofClient(of: provider)) { try await revoke($0) },
            HTTPRoute(.post, "/device_authorization", origins: .everyone) {
                try await authorizeDevice($0)
            },
            HTTPRoute(.post, "/bc-authorize") { try await askForApproval($0) },
        ]
    }

    private func token(_ request: ServerRequest) async throws -> ServerResponse {
        if let refusal = await VersionFilter(provider).refusal(request, for: .token) {
            return OAuthError.response(refusal)
        }
        return try await DirectClientRequest.answer(request, "token request", log: provider.log) {
            message in
            let asked: TokenRequest
            do throws(TokenRequest.ParseError) {
                asked = try TokenRequest(form: message.form.values)
            } catch {
                return .failure(Self.refusal(of: error))
            }
            return try await TokenEndpoint(provider).respond(
                to: asked, from: message.client, tenant: request.tenant, facts: request.facts
            ).map { .json($0.json) }
        }
    }

    private static func refusal(of mistake: TokenRequest.ParseError) -> Refusal {
        switch mistake {
        case .missing(let name):
            Refusal(ErrorCode.invalidRequest, "\(name) is missing.", reason: name)
        case .unsupported(let name):
            Refusal(
                ErrorCode.invalidRequest, "This value of \(name) is not supported.", reason: name)
        case .unsupportedGrantType:
            Refusal(
                ErrorCode.unsupportedGrantType, "This grant_type is not supported.",
                reason: "grant_type")
        }
    }

    private func introspect(_ request: ServerRequest) async throws -> ServerResponse {
        try await DirectClientRequest.answer(request, "introspection request", log: provider.log) {
            message in
            guard let token = message.form["token"] else {
                return .success(OAuthError.invalidRequest("token is missing."))
            }
            return try await IntrospectionEndpoint(provider).respond(
                token: token, from: message.client, tenant: request.tenant, facts: request.facts
            ).map { .json($0) }
        }
    }

    private func revoke(_ request: ServerRequest) async throws -> ServerResponse {
        try await DirectClientRequest.answer(request, "revocation request", log: provider.log) {
            message in
            guard let token = message.form["token"] else {
                return .success(OAuthError.invalidRequest("token is missing."))
            }
            return try await RevocationEndpoint(provider).respond(
                token: token, from: message.client, tenant: request.tenant, facts: request.facts
            ).map { ServerResponse(status: .ok, headers: [.cacheControl: "no-store"]) }
        }
    }

    private func askForApproval(_ request: ServerRequest) async throws -> ServerResponse {
        try await DirectClientRequest.answer(request, "approval request", log: provider.log) {
            message in
            let asked: BackchannelRequest
            do throws(BackchannelRequest.ParseError) {
                asked = try BackchannelRequest(form: message.form.values)
            } catch {
                return .failure(Self.refusal(of: error))
            }
            return try await BackchannelEndpoint(provider).begin(
                asked, from: message.client, tenant: request.tenant, facts: request.facts
            ).map { .json($0.json) }
        }
    }

    private static func refusal(of mistake: BackchannelRequest.ParseError) -> Refusal {
        switch mistake {
        case .invalid(let text):
            Refusal(ErrorCode.invalidRequest, text + ".", reason: text)
        case .invalidMessage(let text):
            Refusal(ErrorCode.invalidBindingMessage, text + ".", reason: text)
        }
    }

    private func authorizeDevice(_ request: ServerRequest) async throws -> ServerResponse {
        try await DirectClientRequest.answer(
            request, "device authorization request", log: provider.log
        ) {
            message in
            try await DeviceAuthorizationEndpoint(provider).begin(
                scope: message.form["scope"], from: message.client, tenant: request.tenant,
                facts: request.facts,
                device: DeviceSelfDescription(
                    name: message.form["device_name"], model: message.form["device_model"])
            ).map { .json($0.json) }
        }
    }
}
