// SPDX-License-Identifier: Apache-2.0
import JOSE
import Support
import Testing

@Suite("JSON")
struct JSONTests {
    private func parse(_ text: String, depth: Int = 32) throws(JSONError) -> JSONValue {
        try JSONParser.parse(bytes(text), maximumBytes: 100_000, maximumDepth: depth)
    }

    @Test(
        "What is not JSON is refused",
        arguments: [
            "", " ", "{", "[", "\"", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}",
            "[1,]", "[,1]", "[1 2]", "{a:1}", "{'a':1}", "{1:2}", "tru", "truth", "nul", "True",
            "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x10", "1_000",
            "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"a\nb\"", "\"\u{0}\"", "\"\t\"", "1 2", "{}{}",
            "[]]", "null,", "// a\n1", "\u{FEFF}1",
        ])
    func refusesMalformed(_ text: String) {
        #expect(throws: JSONError.self) { _ = try parse(text) }
    }

    @Test("A member name that comes twice is refused, also when it is spelled with an escape")
    func duplicateNames() {
        #expect(throws: JSONError.duplicateName(offset: 7)) { _ = try parse(#"{"a":1,"a":2}"#) }
        #expect(throws: JSONError.duplicateName(offset: 7)) {
            _ = try parse(#"{"a":1,"\u0061":2}"#)
        }
        let many = (0..<40).map { "\"n\($0)\":0" } + ["\"n3\":1"]
        #expect(throws: JSONError.self) { _ = try parse("{\(many.joined(separator: ","))}") }
    }

    @Test("Lone surrogates are refused, pairs are one character")
    func surrogates() throws {
        for text in [#""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800x""#, #""\uD83D\n""#]
        {
            #expect(throws: JSONError.self) { _ = try parse(text) }
        }
        #expect(try parse(#""\uD83D\uDE00""#) == "😀")
    }

    @Test(
        "Invalid UTF-8 is refused",
        arguments: [
            [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80],
        ]
            as [[UInt8]])
    func invalidUTF8(_ letters: [UInt8]) {
        #expect(throws: JSONError.self) {
            _ = try JSONParser.parse([0x22] + letters + [0x22], maximumBytes: 100)
        }
    }

    @Test("Depth and size are bounded")
    func bounds() throws {
        let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        _ = try parse(deep)
        #expect(throws: JSONError.tooDeep) { _ = try parse("[\(deep)]") }
        let hostile = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: JSONError.tooDeep) {
            _ = try JSONParser.parse(hostile, maximumBytes: 1_000_000)
        }
        #expect(throws: JSONError.tooLarge) {
            _ = try JSONParser.parse(hostile, maximumBytes: 999_999)
        }
    }

    @Test("Integers are exact to the ends of 64 bits and refused beyond")
    func integers() throws {
        #expect(try parse("9223372036854775807") == .integer(.max))
        #expect(try parse("-9223372036854775808") == .integer(.min))
        #expect(try parse("9007199254740993") == .integer(9_007_199_254_740_993))
        for text in ["9223372036854775808", "-9223372036854775809", "1e999", "-1e999"] {
            #expect(throws: JSONError.numberOutOfRange(offset: 0)) { _ = try parse(text) }
        }
        #expect(try parse("1.0") == .number(1))
        #expect(try parse("-0") == .number(-0.0))
        #expect(try parse("1e300") == .number(1e300))
    }

    @Test("Objects keep their order; names are compared by bytes")
    func objects() throws {
        let value = try parse(#"{"z":1,"a":{"K":true}}"#)
        #expect(value.object?.names == ["z", "a"])
        #expect(value["a"]?["K"] == true)
        // U+212A, the Kelvin sign, is canonically equivalent to K.
        #expect(value["a"]?["\u{212A}"] == nil)
    }

    @Test("What is written is read back the same")
    func roundTrip() throws {
        let value: JSONValue = [
            "text": "quote \" backslash \\ line\n tab\t bell\u{7} é 😀 \u{2028}", "int": -42,
            "float": 0.1, "list": [1, nothing, true, false, [], [:]], "empty": "",
        ]
        #expect(try parse(value.text) == value)
        #expect(value.text.contains(#"bell\u0007"#))
    }

    private var nothing: JSONValue { .null }

    @Test("A number that JSON cannot say becomes null")
    func infinity() {
        #expect(JSONValue.number(.infinity).text == "null")
        #expect(JSONValue.number(.nan).text == "null")
    }

    @Test("The writer writes what the tree writes")
    func writer() {
        var writer = JSONWriter()
        writer.member("iss", "https://id.example")
        writer.member("exp", Int64.min)
        writer.member("ok", true)
        writer.member("aud", ["a", "b\""])
        writer.member("absent", ifPresent: nil)
        writer.member("cnf", ["jkt": "x"])
        writer.member("t", token: bytes("abc"))
        writer.member(named: "a\"b", 1)
        let expected =
            #"{"iss":"https://id.example","exp":-9223372036854775808,"ok":true,"#
            + #""aud":["a","b\""],"cnf":{"jkt":"x"},"t":"abc","a\"b":1}"#
        #expect(String(decoding: writer.finish(), as: UTF8.self) == expected)
    }

    @Test("Mutated documents are refused or read, and never end the process")
    func mutations() {
        var random = SeededRandom(seed: 7)
        let seed = bytes(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00",{"b":null}],"c":true,"d":"é"}"#)
        for _ in 0..<20_000 {
            var mutant = seed
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<mutant.count, using: &random)
                mutant[index] = UInt8(truncatingIfNeeded: random.next())
            }
            let length = Int.random(in: 0...mutant.count, using: &random)
            for input in [mutant, Array(mutant.prefix(length))] {
                guard let value = try? JSONParser.parse(input, maximumBytes: 1000) else { continue }
                #expect((try? JSONParser.parse(value.bytes, maximumBytes: 4000)) == value)
            }
        }
    }
}
