// SPDX-License-Identifier: Apache-2.0
import Primitives
import Testing

@Suite struct SingleLineTests {
    @Test(
        "What others wrote steers nothing and turns nothing around",
        arguments: [
            ("Anna Johnson", "Anna Johnson"), (" Anna \t\r\n Johnson ", "Anna Johnson"),
            ("A\u{1B}[31mB", "A[31mB"), ("A\u{9B}31mB", "A31mB"), ("A\u{7F}\u{0}B", "AB"),
            ("A\u{2028}B\u{2029}C\u{85}D", "A B C D"),
            ("A\u{202E}B\u{2066}C\u{200F}D\u{200B}E\u{FEFF}F", "ABCDEF"),
            ("A\u{E000}B\u{378}C", "ABC"), ("j\u{F6}rg \u{5D0}\u{5D1}", "j\u{F6}rg \u{5D0}\u{5D1}"),
            ("", ""), ("\u{202E}\u{7}", ""), ("A \u{202E} B", "A B"),
        ])
    func shown(_ written: String, _ line: String) {
        #expect(written.singleLine(atMost: 100) == line)
    }

    @Test("It is no longer than was asked for")
    func long() {
        #expect(String(repeating: "x", count: 400).singleLine(atMost: 128).count == 128)
        #expect("A\nB C".singleLine(atMost: 3) == "A B")
        #expect("A".singleLine(atMost: 0).isEmpty)
    }
}
