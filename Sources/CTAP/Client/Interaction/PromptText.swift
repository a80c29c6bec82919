// SPDX-License-Identifier: Apache-2.0

/// Makes text from a relying party or a key fit to be shown: no control characters, no direction
/// marks, nothing invisible, at most 64 characters.
package enum PromptText {
    static let maximumLength = 64

    package static func clean(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(4 * maximumLength) where isVisible(scalar) {
            output.append(scalar)
        }
        let visible = String(output)
        guard visible.count > maximumLength else { return visible }
        return String(visible.prefix(maximumLength - 1)) + "…"
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }
}
