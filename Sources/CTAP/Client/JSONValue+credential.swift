// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

extension JSONValue {
    /// Returns the members that registrations and assertions have in common.
    static func credential(
        id: [UInt8], response: JSONObject, extensions: JSONObject
    ) -> JSONValue {
        let name = JSONValue.string(Base64URL.encode(id))
        return [
            "id": name, "rawId": name, "type": "public-key",
            "authenticatorAttachment": "cross-platform", "response": .object(response),
            "clientExtensionResults": .object(extensions),
        ]
    }
}
