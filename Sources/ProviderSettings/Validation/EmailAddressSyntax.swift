// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The syntax of email addresses.
package enum EmailAddressSyntax {
    /// The canonical form: lower case, with the lengths of RFC 5321 section 4.5.3.1, one `@` and a
    /// domain that is not only numeric. Returns `nil` for other text. Quoted local parts and
    /// address literals are not supported.
    package static func canonical(_ typed: String) -> String? {
        guard typed.utf8.count <= 512 else { return nil }
        let address = typed.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        let parts = address.utf8.split(
            separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].count),
            (1...255).contains(parts[1].count), address.utf8.count <= 254,
            parts[0].allSatisfy(isLocalLetter), isDomain(parts[1])
        else { return nil }
        return address
    }

    private static func isLocalLetter(_ letter: UInt8) -> Bool {
        isAlphanumeric(letter) || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(letter)
    }

    private static func isDomain(_ domain: Substring.UTF8View) -> Bool {
        let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let hyphen = UInt8(ascii: "-")
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
        } && domain.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    private static func isAlphanumeric(_ letter: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter)
    }
}
