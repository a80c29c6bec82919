// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage

/// Authenticates calls of the Admin API, then validates the form of each request.
struct AdminRequestGuard: Sendable {
    let provider: Provider
    let token: AdminToken

    /// The largest body. State documents can be long; other bodies are small.
    static let bodyLimit = 8 * 1024 * 1024

    func route(_ endpoint: AdminEndpoint) -> HTTPRoute {
        HTTPRoute(
            endpoint.method, AdminAPI.prefix + endpoint.path,
            bodyLimit: endpoint.body == nil ? 0 : Self.bodyLimit
        ) { request in
            try await answer(endpoint, request)
        }
    }

    private func answer(
        _ endpoint: AdminEndpoint, _ request: ServerRequest
    ) async throws -> ServerResponse {
        guard let bearer = try await bearer(of: request) else { return await refuse(request) }
        let requestID = request.facts.requestID
        switch call(endpoint, request) {
        case .success(let call):
            return try await run(endpoint, call, bearer).response(requestID: requestID)
        case .failure(let error):
            return Problem.response(
                error.status, code: error.code, message: error.message, requestID: requestID)
        }
    }

    /// On whose word a call is made.
    private enum Bearer {
        /// The operator's own token.
        case operatorToken
        case program(APIToken)
    }

    private func bearer(of request: ServerRequest) async throws -> Bearer? {
        let presented = PresentedAccessToken.bearer(
            authorization: request.headers[.authorization], maximumBytes: 512)
        guard let presented else { return nil }
        if try await token.matches(presented) { return .operatorToken }
        return try await APITokens(provider, facts: request.facts).find(presented)
            .map(Bearer.program)
    }

    private func run(
        _ endpoint: AdminEndpoint, _ call: AdminRequest, _ bearer: Bearer
    ) async throws -> AdminResponse {
        guard case .program(let token) = bearer else { return try await endpoint.run(call) }
        var call = call
        call.rights = try await APITokens(provider, facts: call.facts).rights(of: token)
        call.request.facts.administrator = token.maker
        call.request.facts.apiToken = APITokenMark(token)
        let permit = AdminAuthorizer(provider: provider)
        guard let refusal = try await permit.refusal(of: endpoint, call, to: token) else {
            return try await endpoint.run(call)
        }
        await OperatorAccess(provider, facts: call.facts).countRefusal(of: token)
        return refusal
    }

    private func refuse(_ request: ServerRequest) async -> ServerResponse {
        await OperatorAccess(provider, facts: request.facts)
            .countInvalidToken(in: request.tenant.project.id)
        var response = Problem.response(
            .unauthorized, code: "invalid_token",
            message: "Send the admin token, or an API token, as Authorization: Bearer TOKEN.",
            requestID: request.facts.requestID)
        response.headers[.wwwAuthenticate] = "Bearer realm=\"gatehouse admin\""
        return response
    }

    private struct RequestError: Error {
        var status: HTTPResponse.Status
        var code: String
        var message: String
    }

    private func call(
        _ endpoint: AdminEndpoint, _ request: ServerRequest
    ) -> Result<AdminRequest, RequestError> {
        let query: FormParameters
        do {
            query = try request.queryForm()
        } catch {
            return .failure(
                RequestError(status: .badRequest, code: "invalid_query", message: error.message))
        }
        let known = endpoint.query.map(\.name)
        if let stranger = query.values.keys.sorted().first(where: { !known.contains($0) }) {
            let hint = SpellingSuggestion.hint(for: stranger, among: known)
            return .failure(
                RequestError(
                    status: .badRequest, code: "unknown_parameter",
                    message: "The parameter \"\(stranger.prefix(64))\" is not known here\(hint)."))
        }
        guard let schema = endpoint.body else {
            return .success(AdminRequest(request: request, query: query, body: .null))
        }
        return body(of: request).flatMap { body in
            if let stranger = AdminBodies.stranger(in: body, of: schema) {
                let hint = SpellingSuggestion.hint(for: stranger.name, among: stranger.known)
                return .failure(
                    RequestError(
                        status: .unprocessableContent, code: "unknown_member",
                        message: "\(stranger.name.prefix(64)) is not known here\(hint)."))
            }
            return .success(AdminRequest(request: request, query: query, body: body))
        }
    }

    private func body(of request: ServerRequest) -> Result<JSONValue, RequestError> {
        guard mediaType(request.headers[.contentType] ?? "") == "application/json" else {
            return .failure(
                RequestError(
                    status: .unsupportedMediaType, code: "unsupported_media_type",
                    message: "Send the body as application/json."))
        }
        do {
            return .success(
                .object(try JSONParser.parseObject(request.body, maximumBytes: Self.bodyLimit)))
        } catch {
            return .failure(
                RequestError(
                    status: .badRequest, code: "invalid_json",
                    message: "The body is not a JSON object: \(error.code)."))
        }
    }
}
