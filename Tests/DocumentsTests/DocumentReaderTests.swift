// SPDX-License-Identifier: Apache-2.0
import Documents
import JOSE
import Testing

@Suite struct DocumentReaderTests {
    private func read(_ text: String) throws -> DocumentNode {
        try DocumentReader.read(Array(text.utf8))
    }

    @Test("Places are those of the file")
    func places() throws {
        let node = try read("projects:\n  - name: a\n    clients:\n      - scope: x\n")
        #expect(node.place(of: "projects[0].clients[0].scope").description == "4:9")
        #expect(node.place(of: "projects[0].nothing").description == "2:5")
        #expect(node.place(of: "projects[9]").description == "1:1")
    }

    @Test(
        "Plain scalars mean what YAML 1.2 says",
        arguments: [
            ("true", JSONValue.bool(true)), ("null", .null), ("", .null), ("12", .integer(12)),
            ("-3", .integer(-3)), ("1.5", .number(1.5)), ("1e3", .number(1000)),
            ("yes", .string("yes")), ("0644", .string("0644")), ("12:30:45", .string("12:30:45")),
            ("2026-01-31", .string("2026-01-31")), ("\"12\"", .string("12")),
            ("99999999999999999999", .string("99999999999999999999")), (".inf", .string(".inf")),
            ("1e999", .string("1e999")),
        ])
    func scalars(text: String, value: JSONValue) throws {
        #expect(try read("a: \(text)").json["a"] == value)
    }

    @Test("JSON is read, also with tabs")
    func json() throws {
        #expect(try read("{\n\t\"a\": [1, \"b\", null]}").json.text == #"{"a":[1,"b",null]}"#)
    }

    @Test(
        "What is no document is refused with its place",
        arguments: [
            "a: [1", "a: b: c", "\"unterminated", "a: 1\na: 2", "{\"a\":1,\"a\":2}", "- a\nb: c",
            "*nowhere", "? [a]\n: b", "a\u{0}b: 1", "%TAG", "a: !<",
        ])
    func refusals(text: String) {
        #expect(throws: DocumentError.self) { try read(text) }
    }

    @Test("Bytes that are not UTF-8 are refused")
    func notUTF8() {
        #expect(throws: DocumentError.self) { try DocumentReader.read([0x61, 0x3A, 0xFF]) }
    }

    @Test("Deep nesting and unfolding aliases end in a refusal, not in a crash")
    func bombs() {
        #expect(throws: DocumentError.self) {
            try read(String(repeating: "[", count: 100_000))
        }
        #expect(throws: DocumentError.self) {
            try read(String(repeating: "[", count: 50) + String(repeating: "]", count: 50))
        }
        var bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
        for level in 1..<12 {
            let list = (0..<10).map { _ in "*a\(level - 1)" }.joined(separator: ",")
            bomb += "a\(level): &a\(level) [\(list)]\n"
        }
        #expect(throws: DocumentError.self) { try read(bomb) }
    }

    @Test("What is written is read back the same")
    func roundTrip() throws {
        let value: JSONValue = [
            "a": "yes", "b": "12", "c": ["x", "null", "", "- y", "a: b", "#"], "d": [:], "e": [],
            "f": 3, "g": true, "h": .null, "i": ["j": [["k": "ü\n\"z"]]],
        ]
        #expect(try read(DocumentWriter.yaml(value)).json == value)
    }
}
