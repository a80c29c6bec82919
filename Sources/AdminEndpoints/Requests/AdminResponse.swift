// SPDX-License-Identifier: Apache-2.0
import HTTPServer
package import HTTPTypes
package import JOSE
import ProviderAdministration
import ProviderCore
package import ProviderSettings

/// What an endpoint of the Admin API answers.
package enum AdminResponse: Sendable {
    case value(JSONValue, HTTPResponse.Status = .ok)
    case nothing
    case refused(HTTPResponse.Status, code: String, String, problems: [LocatedValidationIssue] = [])

    package static func unknown(_ thing: String) -> AdminResponse {
        AdminResponse(AdministrativeRefusal.unknown(thing))
    }

    static let exists = AdminResponse(AdministrativeRefusal.exists)
    static let changedSince = AdminResponse(AdministrativeRefusal.changedSince)
    package static let notAllowed = AdminResponse.refused(
        .forbidden, code: "not_allowed", "Your role does not allow this.")

    init(_ refusal: Refusal, _ status: HTTPResponse.Status) {
        self = .refused(status, code: refusal.code, refusal.message)
    }

    static func invalid(_ refusal: StateDocumentError) -> AdminResponse {
        AdminResponse(AdministrativeRefusal.invalid(refusal))
    }

    /// The value of the answer; `nil` for a refusal.
    package var json: JSONValue? {
        switch self {
        case .value(let value, _): value
        case .nothing: .null
        case .refused: nil
        }
    }

    func response(requestID: String) -> ServerResponse {
        switch self {
        case .value(let value, let status): return .json(value.bytes, status: status)
        case .nothing: return .noContent
        case .refused(let status, let code, let message, let problems):
            let response = Problem.response(
                status, code: code, message: message, requestID: requestID)
            guard !problems.isEmpty else { return response }
            return Self.adding(problems, to: response)
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
        body["errors"] = .array(
            problems.map(Self.json))
        var response = response
        response.body = body.bytes
        return response
    }
}
