// SPDX-License-Identifier: Apache-2.0
import TerminalDialog

/// The text in a terminal for a sign-in on another device (RFC 8628 section 3.3): the page, the
/// code to enter, and a QR code of both if the terminal is wide enough.
struct PageCodeText {
    let url: String
    let code: String
    /// The URL of the page with the code.
    let completeURL: String
    /// The width of the terminal; `nil` if the output is not a terminal, which cannot display a QR
    /// code.
    let columns: Int?

    var text: String {
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
}
