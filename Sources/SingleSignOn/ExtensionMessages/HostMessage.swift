// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A message from the agent to an extension.
package enum HostMessage: ExtensionWireMessage {
    /// The first message: the protocol version, and the identifier that the agent expects of the
    /// extension.
    case hello(version: Int, identifier: String)
    case request(UInt64, ExtensionHostRequest)
    /// The caller of that request has disconnected; a response is still accepted.
    case cancel(UInt64)
    case answer(call: UInt64, Result<ExtensionCallResponse, ExtensionCallRefusal>)
    /// The last message: the extension must end.
    case stop

    /// The supported version.
    package static let version = 1

    package var json: JSONObject {
        switch self {
        case .hello(let version, let identifier):
            JSONObject(
                message: "hello",
                [("version", .integer(Int64(version))), ("identifier", .string(identifier))])
        case .request(let number, let request):
            JSONObject(
                message: "request",
                [("number", .integer(number.wire)), ("content", .object(request.json))])
        case .cancel(let number): JSONObject(message: "cancel", [("number", .integer(number.wire))])
        case .answer(let call, .success(let answer)):
            JSONObject(
                message: "answer",
                [("call", .integer(call.wire)), ("content", .object(answer.json))])
        case .answer(let call, .failure(let refusal)):
            JSONObject(
                message: "refusal",
                [("call", .integer(call.wire)), ("content", .object(refusal.json))])
        case .stop: JSONObject(message: "stop", [])
        }
    }

    package init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        switch try reader.required("message", .text) {
        case "hello":
            self = .hello(
                version: Int(try reader.required("version", .integer(0...1_000_000))),
                identifier: try reader.required("identifier", .text))
        case "request":
            self = .request(
                try reader.required("number", .number),
                try ExtensionHostRequest(json: try reader.required("content", .object)))
        case "cancel": self = .cancel(try reader.required("number", .number))
        case "answer":
            self = .answer(
                call: try reader.required("call", .number),
                .success(try ExtensionCallResponse(json: try reader.required("content", .object))))
        case "refusal":
            self = .answer(
                call: try reader.required("call", .number),
                .failure(try ExtensionCallRefusal(json: try reader.required("content", .object))))
        case "stop": self = .stop
        default: throw ExtensionMessageError(.unknownKind, "message")
        }
        try reader.finish()
    }
}

extension UInt64 {
    /// Message numbers start at 0 and never reach the maximum.
    var wire: Int64 { Int64(clamping: self) }
}
