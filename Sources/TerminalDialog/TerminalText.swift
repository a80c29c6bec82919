// SPDX-License-Identifier: Apache-2.0

/// Text as a terminal shows it: columns, lines, and nothing that it would obey.
package enum TerminalText {
    /// Returns untrusted text, such as names of sites and people, for display. Control characters
    /// and characters that change the text direction are replaced. At most `limit` characters.
    package static func safe(_ text: String, limit: Int = 200) -> String {
        let scalars = text.unicodeScalars.prefix(limit * 4).map { isObeyed($0) ? "\u{FFFD}" : $0 }
        let safe = String(String.UnicodeScalarView(scalars))
        return safe.count > limit ? safe.prefix(limit - 1) + "…" : safe
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    /// Returns the number of columns of the text.
    package static func width(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// 2 for the wide characters of East Asia (UAX #11) and for pictures.
    static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    /// Lines of at most `width` columns, broken between words where possible.
    package static func wrap(_ text: String, width: Int) -> [String] {
        let width = max(width, 4)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ").flatMap({ parts(of: $0, width: width) }) {
            if line.isEmpty {
                line = word
            } else if Self.width(of: line) + 1 + Self.width(of: word) <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
        }
        return lines + [line]
    }

    /// A word in pieces that fit.
    private static func parts(of word: Substring, width: Int) -> [String] {
        var parts: [String] = []
        var part = ""
        for character in word {
            if Self.width(of: part) + Self.width(of: character) > width {
                parts.append(part)
                part = ""
            }
            part.append(character)
        }
        return parts + [part]
    }
}
