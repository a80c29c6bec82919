// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Foundation
import JOSE

/// What the tour shows of a message: its members. Long values are cut: what was signed or drawn at
/// random says nothing to a reader, and belongs in no log.
enum TourMessage {
    /// JSON or a form, member by member; of anything else its beginning.
    static func shown(_ body: [UInt8]) -> String {
        if let object = try? JSONParser.parseObject(body, maximumBytes: 65_536, maximumDepth: 8) {
            return members(object)
        }
        let text = String(decoding: body, as: UTF8.self)
        guard text.contains("="), !text.contains("<") else { return cut(text) }
        return text.split(separator: "&").map { field in
            let parts = field.split(separator: "=", maxSplits: 1)
            let value = parts.count == 2 ? String(parts[1]) : ""
            return
                "\(cut(String(parts.first ?? ""))): \(cut(value.removingPercentEncoding ?? value))"
        }.joined(separator: ", ")
    }

    private static func members(_ object: JSONObject) -> String {
        object.members.map { "\($0.name): \(shown($0.value))" }.joined(separator: ", ")
    }

    private static func shown(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): cut(text)
        case .object(let object): "{\(members(object))}"
        case .array(let values): "[\(values.map { shown($0) }.joined(separator: ", "))]"
        default: value.text
        }
    }

    private static let greatestLength = 48
    private static let greatestSentence = 120
    private static let greatestDrawnLength = 20

    static func cut(_ text: String) -> String {
        let plain = text.withoutControls
        let limit =
            isDrawn(plain)
            ? greatestDrawnLength : plain.contains(" ") ? greatestSentence : greatestLength
        guard plain.utf8.count > limit else { return plain }
        return "\(plain.prefix(12))… (\(plain.utf8.count) bytes)"
    }

    /// Whether it reads as if a machine had drawn it: one word of base64url, of both cases and digits.
    private static func isDrawn(_ text: String) -> Bool {
        var (hasUpper, hasDigit) = (false, false)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasUpper = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"): break
            default: return false
            }
        }
        return hasUpper && hasDigit
    }
}
