// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// An extension's response to a request; each request has one.
package enum ExtensionResponse: Sendable, Equatable {
    case registration(ExtensionRegistrationResult)
    /// The response to a notification.
    case done
    /// Whether the key may rotate.
    case decision(Bool)
    /// The names of groups by their identifiers.
    case names([String: String])
    case picture([UInt8])
    case authorization(ExtensionAuthorizationResponse)

    package static let maximumPictureBytes = 524_288

    /// Whether it is a response to that kind of request.
    package func answers(_ kind: ExtensionHostRequest.Kind) -> Bool {
        switch (self, kind) {
        case (.registration, .registerDevice), (.registration, .registerUser),
            (.done, .registrationDidComplete), (.done, .registrationDidCancel),
            (.decision, .keyWillRotate), (.names, .displayNames), (.picture, .profilePicture),
            (.authorization, .authorize):
            true
        default: false
        }
    }

    /// Returns the response for an extension that released its completion handler without calling
    /// it.
    package static func missing(to kind: ExtensionHostRequest.Kind) -> ExtensionResponse {
        switch kind {
        case .registerDevice, .registerUser: .registration(.failed)
        case .registrationDidComplete, .registrationDidCancel: .done
        case .keyWillRotate: .decision(false)
        case .displayNames: .names([:])
        case .profilePicture: .picture([])
        case .authorize: .authorization(.notHandled)
        }
    }

    var json: JSONObject {
        func object(_ kind: String, _ name: String, _ value: JSONValue) -> JSONObject {
            JSONObject([
                .init(name: "answer", value: .string(kind)), .init(name: name, value: value),
            ])
        }
        return switch self {
        case .registration(let result):
            object("registration", "result", .integer(Int64(result.rawValue)))
        case .done: JSONObject([.init(name: "answer", value: "done")])
        case .decision(let isGranted): object("decision", "granted", .bool(isGranted))
        case .names(let names): object("names", "names", .pairs(names))
        case .picture(let bytes): object("picture", "data", .string(Base64URL.encode(bytes)))
        case .authorization(let answer):
            object("authorization", "authorization", .object(answer.json))
        }
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        switch try reader.required("answer", .text) {
        case "registration": self = .registration(try reader.required("result", .choice))
        case "done": self = .done
        case "decision": self = .decision(try reader.required("granted", .bool))
        case "names": self = .names(try reader.required("names", .pairs(1000)))
        case "picture":
            self = .picture(try reader.required("data", .base64url(0...Self.maximumPictureBytes)))
        case "authorization":
            self = .authorization(
                try ExtensionAuthorizationResponse(
                    json: try reader.required("authorization", .object)))
        default: throw ExtensionMessageError(.unknownKind, "answer")
        }
        try reader.finish()
    }
}
