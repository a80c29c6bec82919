// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE

/// Values of claims as an administrator writes them: text as it is; numbers, `true`, `false` and lists as
/// JSON. Text that would be read as JSON is in quotes.
enum ClaimValueText {
    static func text(_ value: JSONValue) -> String {
        guard let text = value.string else { return value.text }
        return isPlain(text) && Self.value(text) == value ? text : value.text
    }

    static func value(_ text: String) -> JSONValue {
        guard let json = try? JSONParser.parse(Array(text.utf8), maximumBytes: 8192) else {
            return .string(text)
        }
        switch json {
        case .string, .integer, .bool, .array: return json
        case .null, .number, .object: return .string(text)
        }
    }

    static func line(_ member: JSONObject.Member) -> String {
        let name = member.name
        let isPlain = isPlain(name) && !name.contains("=") && !name.hasPrefix("\"")
        return "\(isPlain ? name : JSONValue.string(name).text) = \(text(member.value))"
    }

    /// The group and its value. A line without `=` has no value, which the Admin API refuses.
    static func member(_ line: String) -> JSONObject.Member {
        if line.hasPrefix("\""), let quoted = quotedMember(line) { return quoted }
        guard let equals = line.firstIndex(of: "=") else {
            return JSONObject.Member(name: line, value: .null)
        }
        return JSONObject.Member(
            name: String(line[..<equals]).trimmed(), value: value(after: equals, in: line))
    }

    /// The name ends before the first `=` that leaves a JSON text before it.
    private static func quotedMember(_ line: String) -> JSONObject.Member? {
        for equals in line.indices where line[equals] == "=" {
            let name = Array(String(line[..<equals]).trimmed().utf8)
            guard let text = (try? JSONParser.parse(name, maximumBytes: 8192))?.string else {
                continue
            }
            return JSONObject.Member(name: text, value: value(after: equals, in: line))
        }
        return nil
    }

    private static func value(after equals: String.Index, in line: String) -> JSONValue {
        value(String(line[line.index(after: equals)...]).trimmed())
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text == text.trimmed() && !text.contains(where: \.isNewline)
    }
}
