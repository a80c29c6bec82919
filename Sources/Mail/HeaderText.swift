// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Text in header fields: ASCII as it is, anything else as encoded words, RFC 2047.
enum HeaderText {
    /// Whether no character can end the field: no controls, no line or paragraph separators.
    static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
            default: true
            }
        }
    }

    /// Returns the text for an unstructured field. A line has at most 76 characters, section 2;
    /// pieces are cut between characters and folded.
    static func encode(_ text: String) -> String {
        // `=?` would be taken for an encoded word.
        let isPlain =
            text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.utf8.count <= 60
            && !text.contains("=?")
        return isPlain ? text : encodedWords(text)
    }

    /// `name <address>`, or the address alone.
    static func mailbox(_ mailbox: MailAddress) -> String {
        guard let name = mailbox.name else { return mailbox.address }
        let quotable = name.utf8.allSatisfy {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        let phrase = quotable && name.utf8.count <= 60 ? "\"\(name)\"" : encodedWords(name)
        // The address is on a separate line, so that no line is too long.
        return "\(phrase)\r\n <\(mailbox.address)>"
    }

    /// `=?utf-8?B?…?=` words of 75 characters at most, section 2: 45 bytes of text each.
    private static func encodedWords(_ text: String) -> String {
        var pieces: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if (pieces.last?.count ?? 0) + bytes.count > 42 { pieces.append([]) }
            pieces[pieces.count - 1] += bytes
        }
        return pieces.map { "=?utf-8?B?\(Base64.encode($0))?=" }.joined(separator: "\r\n ")
    }
}
