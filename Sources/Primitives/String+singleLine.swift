// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Returns untrusted text as one line for display. It contains no characters that control a
    /// terminal, a log or a page, or change the text direction.
    ///
    /// Control, formatting and private-use characters are removed; white space becomes one space.
    ///
    /// - Parameter greatest: In Unicode scalars.
    package func singleLine(atMost greatest: Int) -> String {
        let words = unicodeScalars.split { $0.properties.isWhitespace }.map { word in
            String(String.UnicodeScalarView(word.filter(\.isShown)))
        }
        let line = words.filter { !$0.isEmpty }.joined(separator: " ")
        return String(line.unicodeScalars.prefix(greatest))
    }
}

extension Unicode.Scalar {
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }
}
