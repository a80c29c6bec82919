// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// Columns for people to read.
package struct TextTable {
    private let header: [String]
    private var rows: [[String]] = []

    package init(_ header: [String]) { self.header = header }

    package mutating func add(_ row: [String]) { rows.append(row) }

    /// Each column as wide as its widest value, two spaces between them.
    package var text: String {
        let all = [header.map { $0.uppercased() }] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { $0.padded(to: $1) }
            return cells.joined(separator: "  ").withoutTrailingSpace
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    fileprivate var withoutTrailingSpace: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension JSONValue {
    /// On a screen: text without quotes, lists with commas. Control characters are shown, not
    /// obeyed.
    package var shown: String {
        switch self {
        case .string(let text): text.withoutControls
        case .array(let values): values.map(\.shown).joined(separator: ", ")
        case .null: "-"
        default: text.withoutControls
        }
    }
}

extension String {
    /// A terminal obeys escape sequences in what it is told to print; names of people may hold
    /// such.
    package var withoutControls: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }
}
