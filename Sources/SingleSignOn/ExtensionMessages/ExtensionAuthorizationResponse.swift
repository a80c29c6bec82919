// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// An extension's response to a request of an app.
package enum ExtensionAuthorizationResponse: Sendable, Equatable {
    /// Completed without a result.
    case completed
    /// Headers for the caller's request.
    case headers([String: String])
    /// The HTTP response that replaces the server's.
    case response(url: String?, status: Int, headers: [String: String], body: [UInt8]?)
    /// `domain` and `code` of the extension's error.
    case failed(domain: String, code: Int, reason: String)
    /// The request continues without the extension.
    case notHandled
    /// The person cancelled; the request ends.
    case canceled

    package var json: JSONObject {
        switch self {
        case .completed: JSONObject([kind("completed")])
        case .headers(let headers):
            JSONObject([kind("headers"), .init(name: "headers", value: .pairs(headers))])
        case .response(let url, let status, let headers, let body):
            JSONObject(
                [
                    kind("response"), .init(name: "status", value: .integer(Int64(status))),
                    .init(name: "headers", value: .pairs(headers)),
                ] + (url.map { [.init(name: "url", value: .string($0))] } ?? [])
                    + (body.map { [.init(name: "body", value: .string(Base64URL.encode($0)))] }
                        ?? []))
        case .failed(let domain, let code, let reason):
            JSONObject([
                kind("failed"), .init(name: "domain", value: .string(domain)),
                .init(name: "code", value: .integer(Int64(code))),
                .init(name: "reason", value: .string(reason)),
            ])
        case .notHandled: JSONObject([kind("not_handled")])
        case .canceled: JSONObject([kind("canceled")])
        }
    }

    private func kind(_ name: String) -> JSONObject.Member {
        .init(name: "outcome", value: .string(name))
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        switch try reader.required("outcome", .text) {
        case "completed": self = .completed
        case "headers": self = .headers(try reader.required("headers", .pairs(200)))
        case "response":
            self = .response(
                url: try reader.optional("url", .string(0...65_536)),
                status: Int(try reader.required("status", .integer(100...599))),
                headers: try reader.required("headers", .pairs(200)),
                body: try reader.optional(
                    "body", .base64url(0...ExtensionAuthorizationRequest.maximumBodyBytes)))
        case "failed":
            self = .failed(
                domain: try reader.required("domain", .text),
                code: Int(try reader.required("code", .integer(-1_000_000_000...1_000_000_000))),
                reason: try reader.required("reason", .text))
        case "not_handled": self = .notHandled
        case "canceled": self = .canceled
        default: throw ExtensionMessageError(.unknownKind, "outcome")
        }
        try reader.finish()
    }
}
