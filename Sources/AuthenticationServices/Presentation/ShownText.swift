// SPDX-License-Identifier: Apache-2.0
import TerminalDialog

/// A filter of untrusted text for display.
enum ShownText {
    static func safe(_ text: String) -> String { TerminalText.safe(text, limit: 120) }
}
