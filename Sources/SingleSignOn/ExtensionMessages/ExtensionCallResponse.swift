// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The agent's response to a call.
package enum ExtensionCallResponse: Sendable, Equatable {
    case done
    /// `nil` if the key does not exist.
    case key(PublicJWK?)
    case data([UInt8])
    case certificates([[UInt8]])
    /// The text that the person entered.
    case text(Secret)
    /// The index of the choice, from 0.
    case choice(Int)

    /// Whether it is a response to that call.
    package func answers(_ call: ExtensionCall) -> Bool {
        switch (self, call) {
        case (.key, .key), (.key, .beginKeyRotation), (.data, .sign), (.data, .agree),
            (.data, .attestationStatement), (.certificates, .certificates),
            (.certificates, .attest):
            true
        case (.text, .ask(.line)), (.text, .ask(.secret)): true
        case (.choice(let index), .ask(.choice(_, let choices))): choices.indices ~= index
        case (.done, .ask(.notice)), (.done, .ask(.page)): true
        case (.done, _):
            ![
                .key, .beginKeyRotation, .sign, .agree, .certificates, .attest,
                .attestationStatement, .ask,
            ].contains(call.kind)
        default: false
        }
    }

    var json: JSONObject {
        func object(_ kind: String, _ name: String, _ value: JSONValue?) -> JSONObject {
            var object = JSONObject([.init(name: "answer", value: .string(kind))])
            object[name] = value
            return object
        }
        return switch self {
        case .done: object("done", "", nil)
        case .key(let key): object("key", "key", key?.json)
        case .data(let bytes): object("data", "data", .string(Base64URL.encode(bytes)))
        case .certificates(let certificates):
            object(
                "certificates", "certificates", .texts(certificates.map { Base64URL.encode($0) }))
        case .text(let text): object("text", "text", .string(text.revealText()))
        case .choice(let index): object("choice", "index", .integer(Int64(index)))
        }
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        switch try reader.required("answer", .text) {
        case "done": self = .done
        case "key": self = .key(try reader.optional("key", .publicKey))
        case "data": self = .data(try reader.required("data", .base64url(0...65_536)))
        case "certificates":
            self = .certificates(try reader.required("certificates", .certificates))
        case "text": self = .text(Secret(try reader.required("text", .string(0...16_384))))
        case "choice": self = .choice(Int(try reader.required("index", .integer(0...1000))))
        default: throw ExtensionMessageError(.unknownKind, "answer")
        }
        try reader.finish()
    }
}

/// The reason why the agent refuses a call. It is a message: equality compares the reason too.
package struct ExtensionCallRefusal: CodedError {
    package enum Code: String, Sendable, CaseIterable {
        /// The call is not allowed in this kind of request.
        case notPermitted = "not_permitted"
        /// The request is not open.
        case notOpen = "not_open"
        /// The agent cannot display anything, or not at this time.
        case notInteractive = "not_interactive"
        /// The person cancelled.
        case canceled
        case keyUnavailable = "key_unavailable"
        /// The key is in hardware that states so, but there are no certificates for the statement.
        case statementOnly = "statement_only"
        /// The key is not in hardware that can attest it.
        case notInHardware = "not_in_hardware"
        /// The data to save are invalid.
        case malformed
        /// The agent's operation failed.
        case failed
    }

    package let code: Code
    /// The reason for the extension's developer, without secrets.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.reason == right.reason
    }

    var json: JSONObject {
        JSONObject([
            .init(name: "code", value: .string(code.rawValue)),
            .init(name: "reason", value: .string(reason)),
        ])
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        code = try reader.required("code", .choice)
        reason = try reader.required("reason", .text)
        try reader.finish()
    }
}
