// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives

/// What single texts of a state document must look like.
enum TextRules {
    struct Complaint: Error { var message: String }

    /// Longest text of any field, in bytes.
    static let longest = 4096
    /// Longest list of any field.
    static let mostElements = 200

    /// Holds for every text: bounded, and on one line.
    static func line(_ text: String) -> String? {
        if text.utf8.count > longest { return "is longer than \(longest) bytes" }
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isPlain ? nil : "holds control characters; it must be one line of text"
    }

    static func list(_ value: JSONValue, rule: TextRule) -> Result<[String], Complaint> {
        guard let texts = value.strings else {
            return .failure(Complaint(message: "must be a list of texts"))
        }
        guard texts.count <= mostElements else {
            return .failure(Complaint(message: "has more than \(mostElements) elements"))
        }
        for text in texts {
            if let complaint = rule(text) ?? line(text) {
                return .failure(Complaint(message: "\"\(text.prefix(200))\" \(complaint)"))
            }
        }
        return .success(texts)
    }

    static func oneOf(_ choices: [String]) -> TextRule {
        { text in
            choices.contains(text)
                ? nil
                : "must be one of \(choices.joined(separator: ", "))"
                    + NearestName.hint(for: text, among: choices)
        }
    }

    /// RFC 6749 section 3.1.2, RFC 8252 section 7, RFC 9700 section 2.1.
    static let redirectURI: TextRule = { text in
        if text.contains("#") { return "must not have a fragment (#)" }
        return RedirectURI(text) == nil
            ? "must be an absolute URI: https, http on a loopback address, or a private-use scheme "
                + "such as com.example.app:/callback"
            : nil
    }

    /// A page that people are sent to.
    static let webPage: TextRule = { text in
        text.hasPrefix("https://") || text.hasPrefix("http://")
            ? nil : "must be an absolute http or https URL"
    }

    /// Labels of lower-case letters, digits and inner hyphens.
    static let hostName: TextRule = { text in
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.allSatisfy { projectName(String($0)) == nil }
            ? nil : "must be the name of a host in lower case, without scheme and port"
    }

    /// RFC 6749 section 3.3: words of printable ASCII, one space between them.
    static let scope: TextRule = { text in
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let isLetter: (UInt8) -> Bool = {
            $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0)
        }
        let isScope =
            text.isEmpty || words.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isLetter) }
        return isScope ? nil : "must be words of ASCII letters with one space between them"
    }

    static let colour: TextRule = { text in
        let digits = text.utf8.dropFirst()
        let isHex: (UInt8) -> Bool = { Character(UnicodeScalar($0)).isHexDigit }
        return text.hasPrefix("#") && digits.count == 6 && digits.allSatisfy(isHex)
            ? nil : "must be a colour such as #1f6feb"
    }

    static let image: TextRule = { text in
        text.hasPrefix("/") || text.hasPrefix("https://") || text.hasPrefix("data:image/")
            ? nil : "must be an address of this host or a data:image/ URL"
    }

    static let emailAddress: TextRule = { text in
        EmailAddress.canonical(text) == nil ? "must be an e-mail address" : nil
    }

    /// What names things in addresses and files: `default`, `qa-2`.
    static let projectName: TextRule = { text in
        let isLetter: (UInt8) -> Bool = {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
        }
        return (1...63).contains(text.utf8.count) && text.utf8.allSatisfy(isLetter)
            && !text.hasPrefix("-") && !text.hasSuffix("-")
            ? nil : "must be 1 to 63 lower-case letters, digits and inner hyphens"
    }

    /// RFC 6749 appendix A.1, without the space and what a path would have to escape.
    static let clientID: TextRule = { text in
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            ? nil : "must be 1 to 255 printable ASCII letters without spaces"
    }

    static let username: TextRule = { text in
        UserName.canonical(text) == nil
            ? "must be 1 to \(UserName.greatestLength) visible characters" : nil
    }
}
