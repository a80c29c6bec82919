// SPDX-License-Identifier: Apache-2.0

/// What a device says of itself when it asks for a code, as one line for a person. Anybody can say
/// anything: nothing is decided by it, and nothing in it can steer the page or pass for its words.
package struct SelfDescription: Sendable, Equatable {
    /// Empty when it said nothing.
    package let text: String

    /// Letters of each of the two.
    package static let greatest = 64

    package init(name: String? = nil, model: String? = nil) {
        text = [name, model].compactMap { $0.map(Self.cleaned) }.filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// Without controls, marks that turn the direction of writing, and letters of private use.
    private static func cleaned(_ text: String) -> String {
        let words = text.unicodeScalars.split { $0.properties.isWhitespace }.map { word in
            String(String.UnicodeScalarView(word.filter(isShown)))
        }
        let line = words.filter { !$0.isEmpty }.joined(separator: " ")
        return String(line.unicodeScalars.prefix(greatest))
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }
}
