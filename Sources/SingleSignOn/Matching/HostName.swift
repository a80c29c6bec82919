// SPDX-License-Identifier: Apache-2.0

/// A host in normalized form: lower case, A-labels (RFC 5890 section 2.3.2.1), without a final dot.
/// Also an IPv4 address, or an IPv6 address in brackets.
package struct HostName: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Returns `nil` if the text is not a host.
    package init?(_ text: some StringProtocol) {
        var name = String(text)
        if !name.utf8.allSatisfy({ $0 < 0x80 }) {
            guard name.utf8.count <= 253, let encoded = InternationalName.ascii(of: name) else {
                return nil
            }
            name = encoded
        }
        name = Self.lowercased(name)
        if name.utf8.last == UInt8(ascii: ".") { name.removeLast() }
        guard Self.isName(name) || Self.isBracketedAddress(name) else { return nil }
        description = name
    }

    /// The names above this one, the nearest first: `example.com`, `com`.
    var parents: some Sequence<Substring> {
        sequence(first: description[...]) { name in
            name.utf8.firstIndex(of: UInt8(ascii: ".")).map { name[name.utf8.index(after: $0)...] }
        }.dropFirst()
    }

    /// Lowercases ASCII only: other characters are encoded or refused before.
    private static func lowercased(_ text: String) -> String {
        let letters = text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Whether a name consists of labels of ASCII alphanumerics, hyphens and underscores (RFC 1123
    /// section 2.1, and practice).
    private static func isName(_ name: String) -> Bool {
        guard 1...253 ~= name.utf8.count else { return false }
        return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { label in
                1...63 ~= label.count && label.first != UInt8(ascii: "-")
                    && label.last != UInt8(ascii: "-") && label.allSatisfy(isLetter)
            }
    }

    private static func isLetter(_ letter: UInt8) -> Bool {
        0x61...0x7A ~= letter || 0x30...0x39 ~= letter || letter == UInt8(ascii: "-")
            || letter == UInt8(ascii: "_")
    }

    private static func isBracketedAddress(_ name: String) -> Bool {
        guard name.hasPrefix("["), name.hasSuffix("]"), 4...47 ~= name.utf8.count else {
            return false
        }
        let letters = Set("0123456789abcdef:.".utf8)
        return name.utf8.dropFirst().dropLast().allSatisfy(letters.contains)
    }
}
