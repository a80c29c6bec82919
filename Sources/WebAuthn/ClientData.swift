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
        let reader = JSONReader(object) { ClientDataError.member($0.member) }
        type = try reader.required("type", .string(1...Self.maximumBytes))
        challenge = try reader.required("challenge", .string(1...Self.maximumBytes))
        origin = try reader.required("origin", .string(1...Self.maximumBytes))
        crossOrigin = try reader.optional("crossOrigin", .bool)
        topOrigin = try reader.optional("topOrigin", .string)
        _ = try reader.optional("tokenBinding", Self.tokenBinding)
    }

    /// `tokenBinding` is reserved in Level 3 and its content is not used, but Level 2 gave it a
    /// form, and what breaks that form was not made by a browser.
    private static var tokenBinding: JSONForm<String> {
        JSONForm("a token binding") { value in
            value["status"]?.string.flatMap {
                ["present", "supported", "not-supported"].contains($0) ? $0 : nil
            }
        }
    }
}

/// An error of decoding client data.
package enum ClientDataError: Error, Sendable, Equatable {
    case json(JSONError)
    /// The named member is missing or of the wrong type.
    case member(String)
}
