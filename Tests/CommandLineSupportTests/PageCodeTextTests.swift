// SPDX-License-Identifier: Apache-2.0
import TerminalDialog
import Testing

@testable import CommandLineSupport

/// The terminal output for a person who signs in on a phone.
@Suite struct PageCodeTextTests {
    private static let url = "https://idp.example.com/device"

    private func text(_ columns: Int?) -> String {
        PageCodeText(
            url: Self.url, code: "BCDF-GHJK", completeURL: Self.url + "?user_code=BCDF-GHJK",
            columns: columns
        ).text
    }

    @Test("A code that would not fit is not drawn, and no scan is requested")
    func narrow() throws {
        let width = try #require(QRCode(Self.url + "?user_code=BCDF-GHJK")).columns + 2
        #expect(text(width).contains("▀") && text(width).contains("Scan the code, or open"))
        for columns in [width - 1, 30, 24, nil] {
            #expect(!text(columns).contains("▀"))
            #expect(text(columns).contains("  Open\n") && !text(columns).contains("Scan"))
        }
    }

    @Test("The code to type is never broken", arguments: [24, 30, 36, 40, 80])
    func whole(_ columns: Int) {
        let lines = text(columns).split(separator: "\n").filter { $0.contains("BCDF-GHJK") }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { TerminalText.width(of: String($0)) <= columns })
        #expect(text(columns).contains("on any device"))
    }

    @Test("Nothing of it is obeyed by the terminal")
    func safe() {
        let text = PageCodeText(
            url: "https://a.example/\u{1B}[2J", code: "\u{1B}cAB", completeURL: "", columns: 80
        ).text
        #expect(!text.contains("\u{1B}") && text.contains("https://a.example/"))
    }
}
