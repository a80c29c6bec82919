// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// `CollectedClientData` (section 5.8.1): the browser's description of the ceremony.
///
/// Unknown members are ignored, as the specification requires.
package struct ClientData: Sendable, Equatable {
    package let type: String
    /// Base64url, as it was sent.
    package let challenge: String
    package let origin: String
    /// `nil` when absent, which means the same as `false`.
    package let crossOrigin: Bool?
    package let topOrigin: String?

    /// The longest client data that are read, in bytes.
    package static let maximumBytes = 8192

    /// Reads the JSON text. A leading byte order mark is stripped, as "UTF-8 decode" does; invalid
    /// UTF-8 is refused where that algorithm would repair it.
    package init(json bytes: [UInt8]) throws(ClientDataError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
        let object: JSONObject
        do {
            object = try JSONParser.parseObject(
                text, maximumBytes: Self.maximumBytes, maximumDepth: 8)
        } catch { throw .json(error) }
        type = try Self.string("type", in: object)
        challenge = try Self.string("challenge", in: object)
        origin = try Self.string("origin", in: object)
        crossOrigin = try Self.optional("crossOrigin", in: object, as: \.bool)
        topOrigin = try Self.optional("topOrigin", in: object, as: \.string)
        try Self.checkTokenBinding(in: object)
    }

    private static func string(
        _ name: String, in object: JSONObject
    ) throws(ClientDataError) -> String {
        guard let text = object[name]?.string, !text.isEmpty else { throw .member(name) }
        return text
    }

    private static func optional<Value>(
        _ name: String, in object: JSONObject, as read: (JSONValue) -> Value?
    ) throws(ClientDataError) -> Value? {
        guard let member = object[name] else { return nil }
        guard let value = read(member) else { throw .member(name) }
        return value
    }

    /// `tokenBinding` is reserved in Level 3 and its content is not used, but Level 2 gave it a
    /// form, and what breaks that form was not made by a browser.
    private static func checkTokenBinding(in object: JSONObject) throws(ClientDataError) {
        guard let member = object["tokenBinding"] else { return }
        let status = member.object?["status"]?.string
        guard ["present", "supported", "not-supported"].contains(status) else {
            throw .member("tokenBinding")
        }
    }
}

/// An error of decoding client data.
package enum ClientDataError: Error, Sendable, Equatable {
    case json(JSONError)
    /// The named member is missing or of the wrong type.
    case member(String)
}
