// SPDX-License-Identifier: Apache-2.0
import JOSE

/// What a userinfo answer says, for people to read. It came over the wire, so what a terminal
/// would obey is not printed.
enum PersonText {
    /// The name that tells most.
    static func name(of person: JSONObject) -> String? {
        ["preferred_username", "name", "email", "sub"]
            .compactMap { person[$0]?.string.map(printable) }
            .first { !$0.isEmpty }
    }

    /// One claim a line, names aligned.
    static func lines(of person: JSONObject) -> String {
        let rows = person.members.map { (printable($0.name), text(of: $0.value)) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }.joined(separator: "\n")
    }

    private static func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text): printable(text)
        case .array(let values): values.map(text).joined(separator: ", ")
        default: printable(value.text)
        }
    }

    private static func printable(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: output.append("\u{FFFD}")
            default: output.append(scalar)
            }
        }
        return String(output)
    }
}
