// SPDX-License-Identifier: Apache-2.0
package import JOSE
import OAuth
import Primitives

/// The validation rules for single strings of a state document.
package enum TextRules {
    /// Maximum length of a string in bytes.
    static let maximumLength = 4096
    /// Maximum number of elements of a list.
    package static let maximumElements = 200

    /// The rule for all strings: a limited length, and one line.
    package static func line(_ text: String) -> ValidationIssue? {
        if text.utf8.count > maximumLength {
            return ValidationIssue(.tooLong, ["most": "\(maximumLength)"])
        }
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isPlain ? nil : ValidationIssue(.notOneLine)
    }

    package static func list(
        _ value: JSONValue, rule: TextRule
    ) -> Result<[String], ValidationIssue> {
        guard let texts = value.strings else {
            return .failure(ValidationIssue(.notTexts))
        }
        guard texts.count <= maximumElements else {
            return .failure(
                ValidationIssue(.tooManyElements, ["most": "\(maximumElements)"]))
        }
        for text in texts {
            if let complaint = rule(text) ?? line(text) {
                return .failure(complaint.quoting(text))
            }
        }
        return .success(texts)
    }

    package static func oneOf(_ choices: [String]) -> TextRule {
        { text in
            choices.contains(text) ? nil : .notOneOf(choices, for: text)
        }
    }

    /// RFC 6749 section 3.1.2, RFC 8252 section 7, RFC 9700 section 2.1.
    package static let redirectURI: TextRule = { text in
        if text.contains("#") { return ValidationIssue(.fragment) }
        return RedirectURI(text) == nil ? ValidationIssue(.notRedirectURI) : nil
    }

    /// The URL of a web page.
    package static let webPage: TextRule = { text in
        text.hasPrefix("https://") || text.hasPrefix("http://")
            ? nil : ValidationIssue(.notWebPage)
    }

    /// Labels of `a-z`, `0-9` and inner hyphens, separated by dots.
    package static let hostName: TextRule = { text in
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.allSatisfy { projectName(String($0)) == nil }
            ? nil : ValidationIssue(.notHostName)
    }

    /// RFC 6749 section 3.3: words of printable ASCII, separated by one space.
    package static let scope: TextRule = { text in
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let isLetter: (UInt8) -> Bool = {
            $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0)
        }
        let isScope =
            text.isEmpty || words.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isLetter) }
        return isScope ? nil : ValidationIssue(.notScope)
    }

    package static let colour: TextRule = { text in
        let digits = text.utf8.dropFirst()
        return text.hasPrefix("#") && digits.count == 6
            && digits.allSatisfy({ Hexadecimal.value($0) != nil })
            ? nil : ValidationIssue(.notColour)
    }

    /// The same for JSON Schema.
    package static let colourPattern = "^#[0-9A-Fa-f]{6}$"

    package static let image: TextRule = { text in
        text.hasPrefix("/") || text.hasPrefix("https://") || text.hasPrefix("data:image/")
            ? nil : ValidationIssue(.notImage)
    }

    /// A name that is used in URLs and files: `default`, `qa-2`.
    package static let projectName: TextRule = { text in
        let isLetter: (UInt8) -> Bool = {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
        }
        return (1...63).contains(text.utf8.count) && text.utf8.allSatisfy(isLetter)
            && !text.hasPrefix("-") && !text.hasSuffix("-")
            ? nil : ValidationIssue(.notProjectName)
    }

    /// RFC 6749 appendix A.1, without spaces and other characters that a path would have to escape.
    package static let clientID: TextRule = { text in
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            ? nil : ValidationIssue(.notClientID)
    }

    package static let username: TextRule = { text in
        UserName.canonical(text) == nil
            ? ValidationIssue(.notVisible, ["most": "\(UserName.greatestLength)"]) : nil
    }
}
