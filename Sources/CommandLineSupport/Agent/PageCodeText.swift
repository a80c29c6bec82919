// SPDX-License-Identifier: Apache-2.0
import TerminalDialog

/// What stands in a terminal where somebody signs in on another device (RFC 8628 section 3.3): the page and the
/// code to type there, and both as a QR code where that is not broken by the edge.
package struct PageCodeText {
    let url: String
    let code: String
    /// The page with the code in it.
    let completeURL: String
    /// Of the terminal; `nil` where there is none, and nothing can be scanned.
    let columns: Int?

    package var text: String {
        let drawing = columns.flatMap { columns in
            QRCode(completeURL).flatMap { code in
                code.columns + Self.indent <= columns ? code.terminalText(indent: Self.indent) : nil
            }
        }
        let shown = TerminalText.safe(code)
        let line = "  on any device and enter  \(shown)"
        let isNarrow = columns.map { TerminalText.width(of: line) > $0 } ?? false
        return """
            \(drawing.map { "\n\($0)\n" } ?? "")
              \(drawing == nil ? "Open" : "Scan the code, or open")

                \(TerminalText.safe(url, limit: 2048))

            \(isNarrow ? "  on any device\n  and enter\n\n    \(shown)" : line)

            """
    }

    private static let indent = 2

    package init(url: String, code: String, completeURL: String, columns: Int?) {
        (self.url, self.code, self.completeURL, self.columns) = (url, code, completeURL, columns)
    }
}
