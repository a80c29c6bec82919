// SPDX-License-Identifier: Apache-2.0
import JOSE

/// Reads the members of an input object of `gatehouse inspect`.
struct InspectionInput {
    private let object: JSONObject

    init?(_ input: JSONValue) {
        guard let object = input.object else { return nil }
        self.object = object
    }

    subscript(name: String) -> JSONValue? { object[name] }

    /// The key or the keys, whichever the input names. Exactly one must be there.
    enum Keys {
        case one(JSONWebKey)
        case set(JWKSet)
    }

    func keys() throws(JOSEError) -> Keys? {
        switch (object["jwk"]?.object, object["jwks"]?.object) {
        case (let key?, nil): .one(try JSONWebKey(key))
        case (nil, let set?): .set(try JWKSet(set))
        default: nil
        }
    }

    /// Reads a message and its keys, and returns the verdict of the closure on them.
    static func verdict<Message: SerializedMessage>(
        on value: JSONValue, named name: String,
        _ inspect: (Message, Keys, InspectionInput) throws(JOSEError) -> JSONValue
    ) -> Verdict {
        guard let input = InspectionInput(value) else { return .badInput("not a JSON object") }
        do throws(JOSEError) {
            guard let keys = try input.keys() else {
                return .badInput("exactly one of jwk and jwks must be an object")
            }
            guard let message = try Message.read(input[name]) else {
                return .badInput("\(name) is missing")
            }
            return .accepted(try inspect(message, keys, input))
        } catch {
            return Verdict(error)
        }
    }
}

/// A message that has a compact and a JSON serialisation.
protocol SerializedMessage {
    init(compact text: String, maximumBytes: Int) throws(JOSEError)
    init(json bytes: [UInt8], maximumBytes: Int) throws(JOSEError)
    static var defaultMaximumBytes: Int { get }
}

extension SerializedMessage {
    /// Compact text, JSON text, or the JSON object itself.
    static func read(_ value: JSONValue?) throws(JOSEError) -> Self? {
        let limit = defaultMaximumBytes
        return switch value {
        case .object(let object): try Self(json: object.bytes, maximumBytes: limit)
        case .string(let text) where text.utf8.first == UInt8(ascii: "{"):
            try Self(json: Array(text.utf8), maximumBytes: limit)
        case .string(let text): try Self(compact: text, maximumBytes: limit)
        default: nil
        }
    }
}

extension UnverifiedJWS: SerializedMessage {}
extension UnverifiedJWE: SerializedMessage {}

extension Verdict {
    init(_ error: JOSEError) {
        self = .refused(code: error.code.rawValue, reason: error.reason)
    }
}
