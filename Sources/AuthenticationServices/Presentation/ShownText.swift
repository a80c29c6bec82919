// SPDX-License-Identifier: Apache-2.0
import TerminalDialog

/// What may be shown of text that others wrote.
enum ShownText {
    static func safe(_ text: String) -> String { TerminalText.safe(text, limit: 120) }
}
