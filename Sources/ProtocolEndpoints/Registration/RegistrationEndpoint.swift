// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import ProviderCore

/// One endpoint of `/registration` with what its documentation says.
struct RegistrationEndpoint: Sendable {
    typealias Run =
        @Sendable (RegistrationAPIRequest) async throws -> RegistrationAPIRequest.Outcome

    var method: HTTPRequest.Method
    /// Below `/registration`.
    var path: String
    var operation: String
    var summary: String
    /// Name of the schema of the body; `nil` when there is none.
    var body: String?
    /// Name of the schema of the answer; `nil` for 204.
    var answer: String?
    var statuses: [HTTPResponse.Status]
    /// Whether it is asked without an access token.
    var isOpen: Bool
    /// Whether it is a step of registering.
    var registers: Bool
    var run: Run

    init(
        _ method: HTTPRequest.Method, _ path: String, _ operation: String, _ summary: String,
        body: String? = nil, answer: String? = nil, statuses: [HTTPResponse.Status] = [.ok],
        isOpen: Bool = true, registers: Bool = false, run: @escaping Run
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.summary = summary
        self.body = body
        self.answer = answer
        self.statuses = statuses
        self.isOpen = isOpen
        self.registers = registers
        self.run = run
    }

    var documented: OpenAPIOperation {
        OpenAPIOperation(
            method: method, path: RegistrationRoutes.prefix + path, name: operation,
            summary: summary, body: body,
            answer: answer, statuses: statuses, isOpen: isOpen)
    }
}

/// One call of an endpoint, its body read.
struct RegistrationAPIRequest: Sendable {
    typealias Outcome = Result<ServerResponse, Refusal>

    let request: ServerRequest
    /// Empty when the endpoint takes none.
    let body: JSONObject
    let context: CeremonyContext

    /// RFC 6750 section 2.1, RFC 9449 section 7.1.
    var accessToken: PresentedAccessToken? {
        PresentedAccessToken(authorization: request.headers[.authorization])
    }
}

/// A body of JSON, as `/registration` takes it.
enum RegistrationBody {
    struct ParseError: Error {
        let response: ServerResponse
    }

    static func read(
        _ request: ServerRequest, expected: Bool
    ) -> Result<JSONObject, ParseError> {
        guard expected else { return .success(JSONObject()) }
        guard mediaType(request.headers[.contentType] ?? "") == "application/json" else {
            return .failure(
                ParseError(
                    response: Problem.response(
                        .unsupportedMediaType, code: "unsupported_media_type",
                        message: "Send the body as application/json.",
                        requestID: request.facts.requestID)))
        }
        let body = try? JSONParser.parseObject(
            request.body, maximumBytes: 65_536, maximumDepth: 16)
        guard let body else {
            return .failure(
                ParseError(
                    response: Problem.response(
                        .badRequest, code: "invalid_json",
                        message: "The body is not a JSON object.",
                        requestID: request.facts.requestID)))
        }
        return .success(body)
    }
}
