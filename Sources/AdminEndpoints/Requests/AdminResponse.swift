// SPDX-License-Identifier: Apache-2.0
import HTTPServer
package import HTTPTypes
package import JOSE
package import ProviderAdministration
import ProviderCore
import ProviderSettings

/// What an endpoint of the Admin API answers.
package enum AdminResponse: Sendable {
    case value(JSONValue, HTTPResponse.Status = .ok)
    case nothing
    case refused(AdministrativeRefusal)

    static func unknown(_ resource: String) -> AdminResponse { .refused(.unknown(resource)) }

    static func invalid(_ code: String, _ message: String) -> AdminResponse {
        .refused(.invalid(code, message))
    }

    static func invalid(_ error: StateDocumentError) -> AdminResponse { .refused(.invalid(error)) }

    package var result: AdministrativeResult<JSONValue> {
        switch self {
        case .value(let value, _): .success(value)
        case .nothing: .success(.null)
        case .refused(let refusal): .failure(refusal)
        }
    }

    func response(requestID: String) -> ServerResponse {
        switch self {
        case .value(let value, let status): return .json(value.bytes, status: status)
        case .nothing: return .noContent
        case .refused(let refusal):
            let response = Problem.response(
                refusal.status, code: refusal.code, message: refusal.message, requestID: requestID)
            guard !refusal.issues.isEmpty else { return response }
            return Self.adding(refusal.issues, to: response)
        }
    }

    /// Returns a validation issue as JSON: its message, its code and the parameters of the message.
    private static func json(_ problem: LocatedValidationIssue) -> JSONValue {
        let parameters = problem.complaint.values.sorted { $0.key < $1.key }
        return [
            "path": .string(problem.path), "message": .string(problem.message),
            "code": .string(problem.complaint.code.name),
            "parameters": .object(
                JSONObject(
                    parameters.map { name, value in
                        JSONObject.Member(name: name, value: .string(value.text(\.rawValue)))
                    })),
        ]
    }

    /// RFC 9457 section 3.2: extension members.
    private static func adding(
        _ problems: [LocatedValidationIssue], to response: ServerResponse
    ) -> ServerResponse {
        guard
            var body = try? JSONParser.parseObject(response.body, maximumBytes: response.body.count)
        else { return response }
        body["errors"] = .array(problems.map(Self.json))
        var response = response
        response.body = body.bytes
        return response
    }
}

extension AdministrativeRefusal {
    package var status: HTTPResponse.Status {
        switch kind {
        case .malformed: .badRequest
        case .unknown: .notFound
        case .invalid: .unprocessableContent
        case .conflict: .conflict
        case .precondition: .preconditionFailed
        case .forbidden: .forbidden
        }
    }
}
