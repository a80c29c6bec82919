// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A message from an extension to the agent.
package enum ExtensionMessage: ExtensionWireMessage {
    /// The response to `hello`, with the extension's protocol version.
    case ready(version: Int, ExtensionDescription)
    case answer(UInt64, ExtensionResponse)
    /// - Parameters:
    ///   - number: Counted by the extension.
    ///   - request: The request of the call.
    case call(number: UInt64, request: UInt64, ExtensionCall)

    package var json: JSONObject {
        switch self {
        case .ready(let version, let description):
            JSONObject(
                message: "ready",
                [("version", .integer(Int64(version))), ("content", .object(description.json))])
        case .answer(let number, let answer):
            JSONObject(
                message: "answer",
                [("number", .integer(number.wire)), ("content", .object(answer.json))])
        case .call(let number, let request, let call):
            JSONObject(
                message: "call",
                [
                    ("call", .integer(number.wire)), ("number", .integer(request.wire)),
                    ("content", .object(call.json)),
                ])
        }
    }

    package init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        switch try reader.required("message", .text) {
        case "ready":
            self = .ready(
                version: Int(try reader.required("version", .integer(0...1_000_000))),
                try ExtensionDescription(json: try reader.required("content", .object)))
        case "answer":
            self = .answer(
                try reader.required("number", .number),
                try ExtensionResponse(json: try reader.required("content", .object)))
        case "call":
            self = .call(
                number: try reader.required("call", .number),
                request: try reader.required("number", .number),
                try ExtensionCall(json: try reader.required("content", .object)))
        default: throw ExtensionMessageError(.unknownKind, "message")
        }
        try reader.finish()
    }
}
