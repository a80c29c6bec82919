// SPDX-License-Identifier: Apache-2.0

/// The blocklist of NIST SP 800-63B-4 section 3.1.1.2: passwords that attackers try first.
///
/// The list in `CommonPasswordList.swift` has about three thousand entries that were collected for
/// this project: the top of every published ranking, first names, teams, brands, and common words
/// in English and German. A password is also refused if it is an entry with up to four digits or
/// signs before or after it, or with the usual characters replaced by digits (`P@ssw0rd1`). The
/// list does not replace a corpus of breached passwords.
enum CommonPasswords {
    /// Whether a password, in lower case, is one of them.
    static func contain(_ folded: [Unicode.Scalar]) -> Bool {
        guard folded.count <= 40 else { return false }
        let plain = unleet(folded)
        return listed(folded) || listed(core(folded)) || listed(core(plain)) || listed(plain)
            || listed(unleet(core(folded))) || isPairOfPassword(core(plain))
    }

    private static func listed(_ scalars: [Unicode.Scalar]) -> Bool {
        guard !scalars.isEmpty else { return false }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return words.contains(String(text))
    }

    /// `passwordpassword` and the like: a listed word twice.
    private static func isPairOfPassword(_ scalars: [Unicode.Scalar]) -> Bool {
        let half = scalars.count / 2
        guard scalars.count.isMultiple(of: 2), half > 0 else { return false }
        return scalars[..<half].elementsEqual(scalars[half...]) && listed(Array(scalars[..<half]))
    }

    /// Returns the text without non-alphabetic characters at both ends, at most four at each.
    private static func core(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let head = scalars.prefix { !$0.properties.isAlphabetic }
        let tail = scalars.reversed().prefix { !$0.properties.isAlphabetic }
        guard head.count <= 4, tail.count <= 4, head.count + tail.count < scalars.count else {
            return scalars
        }
        return Array(scalars.dropFirst(head.count).dropLast(tail.count))
    }

    /// With the usual replacements taken back.
    private static func unleet(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        scalars.map { replacements[$0] ?? $0 }
    }

    private static let replacements: [Unicode.Scalar: Unicode.Scalar] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s",
        "!": "i", "€": "e",
    ]

    private static let words: Set<String> = Set(
        CommonPasswordList.text.split(whereSeparator: \.isWhitespace).map(String.init))
}
