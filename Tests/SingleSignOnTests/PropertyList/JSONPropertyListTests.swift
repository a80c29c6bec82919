// SPDX-License-Identifier: Apache-2.0
import SingleSignOn
import Testing

@Suite struct JSONPropertyListTests {
    private func code(_ text: String) -> PropertyListError.Code? {
        do throws(PropertyListError) {
            _ = try PropertyListDocument(Array(text.utf8))
            return nil
        } catch {
            return error.code
        }
    }

    @Test("Values have their offsets, after escapes and in empty containers too")
    func places() throws {
        let text = """
            {
              "a\\"]}": [1, {}, [], -2.5e1, "x\\\\"],
              "b": {"c": true,
                    "d": "ä", "e": false}
            }
            """
        let document = try PropertyListDocument(Array(text.utf8))
        let list = try #require(document.root["a\"]}"]?.elements)
        #expect(
            list.map { "\(document.place(at: $0.offset))" } == [
                "2:13", "2:16", "2:20", "2:24", "2:32",
            ])
        let inner = try #require(document.root["b"])
        #expect(
            inner.members?.map { "\(document.place(at: $0.offset))" } == ["3:9", "4:9", "4:19"])
        #expect("\(document.place(at: try #require(inner["e"]).offset))" == "4:24")
        #expect(list[4].string == "x\\")
    }

    @Test(
        "What is not the JSON of a declaration is refused",
        arguments: [
            ("{\"a\":null}", PropertyListError.Code.unsupportedType),
            ("{\"a\":1,\"a\":2}", .duplicateKey),
            ("{\"a\":1", .unexpectedEnd),
            ("{\"a\":1}x", .trailingBytes),
            ("{'a':1}", .syntax),
            ("{\"a\":1e999}", .value),
            ("{\"a\":\"\\ud800\"}", .value),
            ("{\"a\":[", .unexpectedEnd),
        ])
    func refusals(text: String, code: PropertyListError.Code) {
        #expect(self.code(text) == code)
    }

    @Test("Ten thousand containers inside one another are refused")
    func depth() {
        #expect(code("{\"a\":" + String(repeating: "[", count: 10_000)) == .tooDeep)
    }

    @Test("More values than a declaration has are refused")
    func count() {
        let values = [String](repeating: "1", count: 100_001).joined(separator: ",")
        #expect(code("{\"a\":[\(values)]}") == .tooMuch)
    }
}
