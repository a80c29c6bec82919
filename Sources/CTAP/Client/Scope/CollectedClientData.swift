// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Makes the client data of a ceremony, byte for byte as WebAuthn section 5.8.1.1 serialises
/// them.
package enum CollectedClientData {
    package enum CeremonyType: String, Sendable {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    package static func json(
        _ type: CeremonyType, challenge: [UInt8], origin: String, crossOrigin: Bool = false,
        topOrigin: String? = nil
    ) -> [UInt8] {
        var text = "{\"type\":" + quoted(type.rawValue)
        text += ",\"challenge\":" + quoted(Base64URL.encode(challenge))
        text += ",\"origin\":" + quoted(origin)
        text += ",\"crossOrigin\":" + (crossOrigin ? "true" : "false")
        if let topOrigin { text += ",\"topOrigin\":" + quoted(topOrigin) }
        return Array((text + "}").utf8)
    }

    /// `CCDToString`: only what must be escaped is.
    private static func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: output += "\\\""
            case 0x5C: output += "\\\\"
            case 0..<0x20: output += "\\u" + Hexadecimal.text(scalar.value, width: 4)
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }
}
