// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import JOSE
package import ProviderCore

/// The one error writer for everything that is neither an OAuth endpoint nor a page: RFC 9457.
package enum Problem {
    package static func response(
        _ status: HTTPResponse.Status, code: String, message: String, requestID: String,
        retryAfter: Int64? = nil, members: [JSONObject.Member] = []
    ) -> ServerResponse {
        var headers: HTTPFields = [
            .contentType: "application/problem+json", .cacheControl: "no-store",
        ]
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        let body: JSONValue = [
            "type": "about:blank", "title": .string(status.reasonPhrase),
            "status": .integer(Int64(status.code)), "code": .string(code),
            "detail": .string(message), "request_id": .string(requestID),
        ]
        let all = JSONObject((body.object?.members ?? []) + members)
        return ServerResponse(status: status, headers: headers, body: all.bytes)
    }

    package static func response(
        _ refusal: Refusal, status: HTTPResponse.Status = .badRequest, requestID: String
    ) -> ServerResponse {
        response(
            status, code: refusal.code, message: refusal.message, requestID: requestID,
            retryAfter: refusal.retryAfter, members: refusal.members)
    }
}
