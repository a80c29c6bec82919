// SPDX-License-Identifier: Apache-2.0

/// A mailbox: an optional display name and an address `local@domain`, RFC 5322 section 3.4.
///
/// Strict on purpose: a dot-atom before the `@`, a host name after it, ASCII, 254 bytes in all.
/// Quoted local parts, comments and address literals are refused; so is anything that could end a
/// header or an SMTP command.
package struct MailAddress: Sendable, Equatable {
    package let name: String?
    /// `local@domain`.
    package let address: String

    package init(name: String? = nil, _ address: String) throws(MailError) {
        guard Self.isAddress(address) else { throw .invalidAddress }
        if let name {
            guard name.utf8.count <= 256, HeaderText.isPrintable(name) else {
                throw .invalidHeaderText
            }
        }
        self.name = name?.isEmpty == true ? nil : name
        self.address = address
    }

    /// Whether `text` is an address that mail is sent to.
    package static func isAddress(_ text: String) -> Bool {
        let letters = Array(text.utf8)
        guard letters.count <= 254, let at = letters.lastIndex(of: UInt8(ascii: "@")) else {
            return false
        }
        let local = letters[..<at].split(separator: dot, omittingEmptySubsequences: false)
        let domain = letters[(at + 1)...].split(separator: dot, omittingEmptySubsequences: false)
        return (1...64).contains(at)
            && local.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomLetter) }
            && domain.allSatisfy(isLabel)
    }

    private static let dot = UInt8(ascii: ".")
    private static let atomSigns = Set("!#$%&'*+-/=?^_`{|}~".utf8)

    /// `atext`, RFC 5322 section 3.2.3.
    private static func isAtomLetter(_ letter: UInt8) -> Bool {
        isLetterOrDigit(letter) || atomSigns.contains(letter)
    }

    /// A label of a host name, RFC 1123 section 2.1.
    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
    }

    private static func isLetterOrDigit(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
