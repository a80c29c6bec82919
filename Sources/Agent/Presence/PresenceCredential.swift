// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// How a security key is asked to be touched for one key of a person.
package struct PresenceCredential: Sendable, Equatable {
    /// Of the credential that it made.
    let identifier: [UInt8]
    /// What it makes its secret of.
    let input: [UInt8]
    /// Whether its PIN or a finger is needed besides a touch: the two have different secrets.
    let isVerified: Bool

    var json: JSONValue {
        var object = JSONObject([
            .init(name: "id", value: .string(Base64URL.encode(identifier))),
            .init(name: "input", value: .string(Base64URL.encode(input))),
        ])
        if !isVerified { object["verified"] = false }
        return .object(object)
    }

    init(identifier: [UInt8], input: [UInt8], isVerified: Bool = true) {
        self.identifier = identifier
        self.input = input
        self.isVerified = isVerified
    }

    init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        self.init(
            identifier: try reader.required("id", .base64url),
            input: try reader.required("input", .base64url),
            isVerified: try reader.optional("verified", .bool) ?? true)
    }
}
