// SPDX-License-Identifier: Apache-2.0

extension String {
    /// What somebody else wrote, as one line that can be shown to people: nothing in it steers a terminal, a
    /// log or a page, or turns the direction of what is beside it.
    ///
    /// Without controls, marks of formatting, and letters of private use; white space is one blank.
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
