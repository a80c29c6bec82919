// SPDX-License-Identifier: Apache-2.0
import UnicodeNormalization

/// The conversion of internationalized names to A-labels (RFC 5890 section 2.3.2.1).
///
/// Names are mapped as in browsers (UTS 46): lower case and compatibility composition. `URL` of Foundation on Linux does not encode hosts. Only alphabetic
/// characters, marks and digits are accepted. The result is for comparison, not for registration.
enum InternationalName {
    /// Returns `xn--bcher-kva.example` for `bücher.example`; `nil` if the name is invalid.
    static func ascii(of name: String) -> String? {
        let form = NormalizationForm.compatibilityComposed
        let folded = form(form(name).lowercased())
        // The dot of Chinese and Japanese names.
        let labels = folded.replacing("\u{3002}", with: ".")
            .split(separator: ".", omittingEmptySubsequences: false)
        var encoded: [String] = []
        for label in labels {
            guard let text = self.label(label) else { return nil }
            encoded.append(text)
        }
        return encoded.joined(separator: ".")
    }

    private static func label(_ label: Substring) -> String? {
        let scalars = Array(label.unicodeScalars)
        if scalars.allSatisfy(\.isASCII) { return String(label) }
        guard scalars.count <= 63, scalars.allSatisfy(isAllowed), let first = scalars.first,
            !isMark(first), let text = Punycode.encode(scalars.map(\.value))
        else { return nil }
        return "xn--" + text
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber: true
        default: isMark(scalar) || scalar == "-"
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }
}
