// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
import JOSE
package import ProviderCore
import ProviderDevices

/// Platform SSO: where machines get nonces, sign people in and fetch keys.
///
/// macOS reads statuses, not bodies: 401 is a wrong credential, and the person is asked again;
/// everything else means "later". So 401 is never anything else here.
package struct PlatformSSORoutes: HTTPRouteGroup {
    private let provider: Provider
    private let limits: AttemptLimits
    private let notices: any NotificationComposer

    /// - Parameter limits: of guesses at passwords, the same as on pages.
    package init(_ provider: Provider, limits: AttemptLimits, notices: any NotificationComposer) {
        self.provider = provider
        self.limits = limits
        self.notices = notices
    }

    private static let jwksLifetime = 300

    package func routes() -> [HTTPRoute] {
        let messages = [
            PlatformSSOEndpointInfo.noncePath, PlatformSSOEndpointInfo.tokenPath,
            PlatformSSOEndpointInfo.refreshPath,
            PlatformSSOEndpointInfo.keyPath,
        ]
        return messages.map { path in HTTPRoute(.post, path) { try await message($0) } } + [
            HTTPRoute(.post, PlatformSSOEndpointInfo.devicesPath) { request in
                try await register(request) {
                    try await DeviceRegistration(context(request)).run($0, accessToken: $1)
                }
            },
            HTTPRoute(.post, PlatformSSOEndpointInfo.endorsementPath) { request in
                try await register(request, status: .ok) { body, _ in
                    try await DeviceEndorsement(context(request)).run(body)
                }
            },
            HTTPRoute(.post, PlatformSSOEndpointInfo.usersPath) { request in
                try await register(request) {
                    try await UserRegistration(context(request)).run($0, accessToken: $1)
                }
            },
            HTTPRoute(.post, PlatformSSOEndpointInfo.unregistrationPath) { request in
                try await register(request, status: .ok) { body, _ in
                    try await DeviceUnregistration(context(request)).run(body)
                }
            },
            HTTPRoute(.get, PlatformSSOEndpointInfo.federationPath, bodyLimit: 0) {
                federation($0)
            },
            HTTPRoute(.get, PlatformSSOEndpointInfo.jwksPath, bodyLimit: 0, origins: .everyone) {
                guard PlatformSSOEndpointInfo($0.tenant).isOpen else { return Self.closed }
                return .publicJSON(
                    try await PlatformSSOKeySet(provider).json(of: $0.tenant),
                    seconds: Self.jwksLifetime)
            },
        ]
    }

    private func context(_ request: ServerRequest) -> CeremonyContext {
        CeremonyContext(
            provider: provider, tenant: request.tenant, facts: request.facts, limits: limits,
            writer: notices)
    }

    private func message(_ request: ServerRequest) async throws -> ServerResponse {
        guard PlatformSSOEndpointInfo(request.tenant).isOpen else { return Self.closed }
        let form: FormParameters
        do { form = try request.form() } catch {
            return Self.refuse(
                Refusal("form_malformed", error.message, reason: error.message))
        }
        let endpoint = PlatformSSOEndpoint(context(request))
        switch try await endpoint.respond(to: form.values.map { ($0.key, $0.value) }) {
        case .success(.nonce(let body)): return .json(body)
        case .success(.sealed(let body, let mediaType)):
            return ServerResponse(
                status: .ok,
                headers: [.contentType: mediaType, .cacheControl: "no-store, no-cache"],
                body: body)
        case .failure(let refusal): return Self.refuse(refusal)
        }
    }

    /// The preauthentication of `dynamicWSTrust`.
    private func federation(_ request: ServerRequest) -> ServerResponse {
        let user = (try? request.queryForm())?["user"]
        guard let user,
            let body = FederationDiscovery(of: request.tenant).json(user: user)
        else {
            return .json(
                Array(
                    #"{"error":"not_found","error_description":"No such federation here."}"#.utf8),
                status: .notFound)
        }
        return .json(body)
    }

    private func register(
        _ request: ServerRequest, status: HTTPResponse.Status = .created,
        _ run: (JSONObject, _ accessToken: String?) async throws -> Result<JSONObject, Refusal>
    ) async throws -> ServerResponse {
        guard PlatformSSOEndpointInfo(request.tenant).isOpen else { return Self.closed }
        let isJSON = mediaType(request.headers[.contentType] ?? "") == "application/json"
        let body = try? JSONParser.parseObject(
            request.body, maximumBytes: 65_536, maximumDepth: 8)
        guard isJSON, let body else {
            return Self.refuse(
                Refusal("malformed", "Send a JSON object.", reason: "no JSON object"))
        }
        let token = PresentedAccessToken.bearer(authorization: request.headers[.authorization])
        switch try await run(body, token) {
        case .success(let object): return .json(object.bytes, status: status)
        case .failure(let refusal): return Self.refuse(refusal)
        }
    }

    private static func refuse(_ refusal: Refusal) -> ServerResponse {
        let status: HTTPResponse.Status =
            refusal.isWrongCredential
            ? .unauthorized : refusal.isTemporary ? .serviceUnavailable : .badRequest
        var body = JSONWriter(capacity: 256)
        body.member("error", refusal.code)
        body.member("error_description", OAuthError.printable(refusal.message))
        var response = ServerResponse.json(body.finish(), status: status)
        if let wait = refusal.retryAfter { response.headers[.retryAfter] = String(wait) }
        return response
    }

    /// A project that has it switched off.
    private static let closed = ServerResponse.json(
        Array(#"{"error":"not_found","error_description":"Platform SSO is off here."}"#.utf8),
        status: .notFound)
}
