// SPDX-License-Identifier: Apache-2.0
import Foundation
import UnicodeNormalization

/// The normalization and validation of names. A person has one spelling.
package enum UserName {
    /// Maximum number of characters (grapheme clusters).
    package static let greatestLength = 128

    /// The form in which usernames are stored and compared: trimmed, lower case, Unicode
    /// normalization form C. Returns `nil` if it is empty, too long, or contains invisible
    /// characters (control, format and blank characters, which can imitate another name).
    package static func canonical(_ typed: String) -> String? {
        if isPlain(typed) { return typed }
        guard typed.utf8.count <= 4 * greatestLength * 3 else { return nil }
        let name = NormalizationForm.composed(
            typed.trimmingCharacters(in: .whitespacesAndNewlines).lowercased())
        guard isVisible(name, upTo: greatestLength),
            !name.unicodeScalars.contains(where: isBlank)
        else { return nil }
        return name
    }

    /// Whether the scalar is drawn as blank: a variation selector, a filler, the empty Braille
    /// pattern. Display names may contain such scalars, because emoji use them.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
    }

    /// Whether it could be mistaken for an email address: it contains an `@` of any width. Such a
    /// name is accepted only for the person who has this verified address.
    package static func isLikeAddress(_ name: String) -> Bool {
        name.unicodeScalars.contains { "@\u{FE6B}\u{FF20}".unicodeScalars.contains($0) }
    }

    /// Whether the name is already canonical: visible ASCII without capitals. Most names are.
    private static func isPlain(_ name: String) -> Bool {
        1...greatestLength ~= name.utf8.count
            && name.utf8.allSatisfy { letter in
                0x21...0x7E ~= letter && !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= letter)
            }
    }

    /// A display name, trimmed. Returns `nil` if it is empty, too long or invisible.
    package static func display(_ typed: String, upTo length: Int = greatestLength) -> String? {
        if isPlainToRead(typed, upTo: length) { return typed }
        guard typed.utf8.count <= 4 * length * 3 else { return nil }
        let name = NormalizationForm.composed(
            typed.trimmingCharacters(in: .whitespacesAndNewlines))
        return isVisible(name, upTo: length) ? name : nil
    }

    /// Whether the name needs no change: printable ASCII without surrounding spaces.
    private static func isPlainToRead(_ name: String, upTo length: Int) -> Bool {
        let space = UInt8(ascii: " ")
        return 1...max(length, 1) ~= name.utf8.count && name.utf8.first != space
            && name.utf8.last != space && name.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }

    private static func isVisible(_ name: String, upTo length: Int) -> Bool {
        // A character can have any number of combining marks, so the bytes are limited too.
        guard (1...length).contains(name.count), name.utf8.count <= 4 * length else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator,
                .paragraphSeparator:
                false
            default: true
            }
        }
    }
}
