// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@testable import HTTPServer

@Suite struct FormTests {
    private func parse(_ text: String) throws(FormError) -> FormParameters {
        try FormParameters(Array(text.utf8))
    }

    @Test("names and values are decoded")
    func decodes() throws {
        let form = try parse("grant_type=client_credentials&scope=a+b%20c&name=%C3%A4")
        #expect(form.values == ["grant_type": "client_credentials", "scope": "a b c", "name": "ä"])
    }

    @Test("an empty value, a lone name and stray ampersands are understood")
    func emptyParts() throws {
        #expect(try parse("&a=&&b&").values == ["a": "", "b": ""])
        #expect(try parse("").values.isEmpty)
    }

    @Test("an equals sign in a value belongs to the value")
    func equalsInValue() throws { #expect(try parse("a=b=c")["a"] == "b=c") }

    @Test("a repeated parameter is refused, also when spelled differently")
    func repeated() {
        #expect(throws: FormError.repeated(parameter: "a")) { try parse("a=1&a=1") }
        #expect(throws: FormError.repeated(parameter: "a")) { try parse("a=1&%61=2") }
    }

    @Test(
        "broken percent-encoding is refused",
        arguments: ["a=%", "a=%4", "a=%zz", "%=1", "a=%-1", "a=1&b=%4"])
    func badPercent(_ text: String) { #expect(throws: FormError.badEncoding) { try parse(text) } }

    @Test("NUL is refused, encoded or not", arguments: ["a=%00", "a%00=b", "a=\u{0}"])
    func nul(_ text: String) { #expect(throws: FormError.badEncoding) { try parse(text) } }

    @Test("invalid UTF-8 is refused", arguments: ["a=%ff", "a=%c3", "a=%ed%a0%80", "a=%c0%80"])
    func invalidUTF8(_ text: String) { #expect(throws: FormError.badEncoding) { try parse(text) } }

    @Test("256 parameters are read, 257 are refused")
    func count() throws {
        let many = (0..<256).map { "p\($0)=v" }.joined(separator: "&")
        #expect(try parse(many).values.count == 256)
        #expect(throws: FormError.tooManyParameters) { try parse(many + "&one=more") }
    }

    @Test("whatever the bytes, parsing ends with a form or an error", arguments: 0..<500)
    func random(_ seed: Int) {
        let random = SeededRandom(seed: UInt64(seed))
        let alphabet = Array("ab=&%+0f".utf8) + [0, 0xFF]
        let bytes = random.bytes(40).map { alphabet[Int($0) % alphabet.count] }
        if let form = try? FormParameters(bytes) { #expect(form.values.count <= 40) }
    }
}
