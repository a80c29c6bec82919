// SPDX-License-Identifier: Apache-2.0
import TerminalDialog
import Testing

@Suite struct TerminalPanelTests {
    private let panel = TerminalPanel(
        title: "Security key",
        subject: [
            "example.com wants to register a security key for Anne Johnson 山田 "
                + "(annejohnson1@icloud.com)."
        ],
        problem: "That PIN is wrong. 7 tries are left.",
        step: .choice(
            prompt: "Which account?", items: ["Anne Johnson (work)", "Anne Johnson (home)"],
            selected: 1))

    @Test("No line is wider than the terminal", arguments: [12, 20, 39, 40, 60, 80, 200])
    func width(_ columns: Int) {
        let style = TerminalStyle(hasColours: false, hasUnicode: true)
        for line in panel.lines(columns: columns, style: style) {
            #expect(TerminalText.width(of: line) <= min(columns, 72), "\(line)")
        }
    }

    @Test(
        "A prompt wider than the terminal is broken between words, and its dots are below",
        arguments: [12, 39, 40, 60, 80])
    func secret(_ columns: Int) {
        let prompt = "Password of anna at https://identity.example.com/p/production-of-everything:"
        let style = TerminalStyle(hasColours: false, hasUnicode: true)
        let asked = TerminalPanel(
            title: "Gatehouse", subject: [], step: .secret(prompt: prompt, typed: 200))
        let lines = asked.lines(columns: columns, style: style)
        for line in lines { #expect(TerminalText.width(of: line) <= min(columns, 72), "\(line)") }
        #expect(lines.contains { $0.contains("Password of") && !$0.contains("•") })
        #expect(lines.contains { $0.contains("••••") && !$0.contains("anna") })
    }

    @Test("Without UTF-8 everything of our own is ASCII")
    func ascii() {
        var panel = panel
        panel.subject = ["example.com asks."]
        let style = TerminalStyle(hasColours: false, hasUnicode: false)
        #expect(panel.lines(columns: 60, style: style).allSatisfy { $0.allSatisfy(\.isASCII) })
    }

    @Test("Colours only where they are wanted")
    func colours() {
        let escape = "\u{1B}"
        let coloured = TerminalStyle(environment: ["TERM": "xterm", "LANG": "C.UTF-8"])
        #expect(panel.lines(columns: 60, style: coloured).joined().contains(escape))
        let refusals = [["NO_COLOR": "1", "LANG": "C.UTF-8"], ["TERM": "dumb"]]
        for environment in refusals {
            let style = TerminalStyle(environment: environment)
            #expect(!panel.lines(columns: 60, style: style).joined().contains(escape))
        }
        #expect(!TerminalStyle(environment: ["LC_ALL": "C", "LANG": "C.UTF-8"]).hasUnicode)
    }

    @Test(
        "Control characters of untrusted text have no effect",
        arguments: ["\u{1B}[2J", "a\u{202E}b", "x\r\ny", "\u{7}"])
    func hostile(_ text: String) {
        let safe = TerminalText.safe(text)
        #expect(safe.contains("\u{FFFD}"))
        #expect(!safe.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
        #expect(TerminalText.safe(String(repeating: "a", count: 900)).count == 200)
    }

    @Test("Sequences that mean nothing here are no text")
    func keys() {
        var reader = TerminalKeyReader()
        #expect(reader.keys(in: Array("\u{1B}[5~a\u{1B}OP\u{1B}x".utf8)) == [.text("a")])
        #expect(reader.keys(in: [0xC3]) == [])
        #expect(reader.keys(in: [0xA9]) == [.text("é")])
        #expect(reader.keys(in: [0x1B]) == [.cancel])
    }
}
