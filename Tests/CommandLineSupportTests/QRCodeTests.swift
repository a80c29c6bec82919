// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CommandLineSupport

@Suite("A QR code in the terminal")
struct QRCodeTests {
    @Test("A code has its three finder patterns and a margin")
    func finderPatterns() throws {
        let code = try #require(QRCode("https://login.example.com/device?user_code=BCDF-GHJK"))
        for (row, column) in [(0, 0), (0, code.width - 7), (code.width - 7, 0)] {
            let corners = [(0, 0), (0, 6), (6, 0), (6, 6), (3, 3)]
            #expect(corners.allSatisfy { code.isDark(row: row + $0.0, column: column + $0.1) })
            #expect(!code.isDark(row: row + 1, column: column + 1))
        }
        #expect(!code.isDark(row: -1, column: 0) && !code.isDark(row: 0, column: code.width))
    }

    @Test("Each line is two rows, with colours that end with the line")
    func lines() throws {
        let code = try #require(QRCode("https://login.example.com/device"))
        let lines = code.terminalText(indent: 2).split(separator: "\n")
        #expect(lines.count == (code.width + 5) / 2)
        for line in lines {
            #expect(line.hasPrefix("  \u{1B}[38;5;16;48;5;231m") && line.hasSuffix("\u{1B}[0m"))
            #expect(line.count(where: { " ▀▄█".contains($0) }) == code.width + 4 + 2)
        }
    }

    @Test("What does not fit into a code gives none")
    func refuses() {
        #expect(QRCode("") == nil)
        #expect(QRCode("a\u{0}b") == nil)
        #expect(QRCode(String(repeating: "x", count: 513)) == nil)
    }
}
