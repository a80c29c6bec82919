// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing

@Suite struct JSONReaderTests {
    private func reader(
        _ text: String, ignoresNull: Bool = false
    ) throws -> JSONReader<JSONMemberError> {
        let object = try JSONParser.parseObject(Array(text.utf8), maximumBytes: 4096)
        return JSONReader(object, ignoresNull: ignoresNull) { $0 }
    }

    /// Returns the text of the error that reading that object throws.
    private func refusal(
        _ text: String, ignoresNull: Bool = false,
        _ read: (JSONReader<JSONMemberError>) throws(JSONMemberError) -> Void
    ) throws -> String? {
        let reader = try reader(text, ignoresNull: ignoresNull)
        do throws(JSONMemberError) {
            try read(reader)
            return nil
        } catch { return error.description }
    }

    enum Level: Int { case low = 1 }
    enum Colour: String, CaseIterable { case red, blue }
    struct Name: RawRepresentable { let rawValue: String }

    // MARK: What is accepted

    @Test("Every form returns its value")
    func forms() throws {
        let reader = try reader(
            #"""
            {"string":"é","bool":true,"integer":-7,"bytes":"AAE","list":["a","b"],"object":{"x":1},
            "colour":"blue","date":"2026-01-02T03:04:05Z","seconds":1.5,"aud":"one","any":null}
            """#)
        #expect(try reader.required("string", .string) == "é")
        #expect(try reader.required("string", .string(1...2)) == "é")
        #expect(try reader.required("bool", .bool))
        #expect(try reader.required("integer", .integer) == -7)
        #expect(try reader.required("integer", .integer(-7...7)) == -7)
        #expect(try reader.required("integer", .milliseconds) == Timestamp(milliseconds: -7))
        #expect(try reader.required("integer", .milliseconds) == TimeSpan(milliseconds: -7))
        #expect(try reader.required("bytes", .base64url) == [0, 1])
        #expect(try reader.required("bytes", .base64url(1...2)) == [0, 1])
        #expect(try reader.required("list", .strings) == ["a", "b"])
        #expect(try reader.required("list", .array) == ["a", "b"])
        #expect(try reader.required("list", .list(of: .string, atMost: 2)) == ["a", "b"])
        #expect(try reader.required("list", .audience(1...2)) == ["a", "b"])
        #expect(try reader.required("aud", .audience(2...2)) == ["one"])
        #expect(try reader.required("object", .object).names == ["x"])
        #expect(try reader.required("colour", .choice) == Colour.blue)
        let name: Name = try reader.required("colour", .choice)
        #expect(name.rawValue == "blue")
        #expect(try reader.object("object").required("x", .choice) == Level.low)
        #expect(try reader.required("date", .date) == Timestamp(milliseconds: 1_767_323_045_000))
        #expect(try reader.required("seconds", .numericDate) == Timestamp(milliseconds: 1500))
        #expect(try reader.required("any", .value) == .null)
        try reader.finish()
    }

    @Test("An absent member is nil")
    func absent() throws {
        let reader = try reader("{}")
        #expect(try reader.optional("a", .string) == nil)
        #expect(try reader.optionalObject("a") == nil)
        #expect(try reader.optionalObjects("a") == nil)
        try reader.finish()
    }

    @Test("null is absent for a reader that ignores null")
    func ignoredNull() throws {
        let reader = try reader(#"{"a":null,"b":{"c":null}}"#, ignoresNull: true)
        #expect(try reader.optional("a", .string) == nil)
        #expect(try reader.object("b").optional("c", .string) == nil)
        try reader.finish()
    }

    // MARK: What is refused

    @Test("A missing member is refused")
    func missing() throws {
        let text = try refusal("{}") { reader throws(JSONMemberError) in
            _ = try reader.required("key", .base64url(1...64))
        }
        #expect(text == #""key" is missing: it must be a base64url string of 1 to 64 bytes"#)
    }

    @Test("A required member that is an ignored null is refused")
    func missingNull() throws {
        let text = try refusal(#"{"a":null}"#, ignoresNull: true) {
            reader throws(JSONMemberError) in
            _ = try reader.required("a", .bool)
        }
        #expect(text == #""a" is missing: it must be true or false"#)
    }

    @Test(
        "A member of another type is refused",
        arguments: [
            ("null", "null"), ("true", "this boolean"), ("1", "this number"),
            ("1.5", "this number"), ("[]", "this array"), ("{}", "this object"),
        ])
    func otherType(value: String, kind: String) throws {
        for isRequired in [true, false] {
            let text = try refusal(#"{"a":\#(value)}"#) { reader throws(JSONMemberError) in
                _ =
                    isRequired
                    ? try reader.required("a", .string) : try reader.optional("a", .string)
            }
            #expect(text == "\"a\" must be a string, not \(kind)")
        }
    }

    private static var wrong: [(String, String, JSONForm<JSONValue>)] {
        [
            ("1", "true or false", checked(.bool)),
            ("1.5", "a whole number", checked(.integer)),
            ("8", "a whole number from 1 to 7", checked(.integer(1...7))),
            (#""""#, "a string of 1 to 2 bytes", checked(.string(1...2))),
            (#""éé""#, "a string of at most 2 bytes", checked(.string(0...2))),
            (#""AA==""#, "a base64url string", checked(.base64url)),
            (#""AA""#, "a base64 string", checked(.base64)),
            (#""AAAA""#, "a base64url string of at most 2 bytes", checked(.base64url(0...2))),
            (#""""#, "a base64url string of 1 to 2 bytes", checked(.base64url(1...2))),
            (#""AAAAAAAAA""#, "a base64url string of 1 to 2 bytes", checked(.base64url(1...2))),
            (#"["a",1]"#, "an array of strings", checked(.strings)),
            ("{}", "an array", checked(.array)),
            ("[]", "an object", checked(.object)),
            (#""x""#, "a number of milliseconds since 1970", checked(Timestamp.form)),
            (#""x""#, "a number of milliseconds", checked(TimeSpan.form)),
            (#""x""#, "a number of seconds since 1970", checked(.numericDate)),
            ("1e300", "a number of seconds since 1970", checked(.numericDate)),
            (#""2026""#, "a date of RFC 3339", checked(.date)),
            ("[]", "a string, or an array of 1 to 2 strings", checked(.audience(1...2))),
            (#"["a",1]"#, "a string, or an array of 1 to 2 strings", checked(.audience(1...2))),
            ("[1,2]", "an array of at most 1, each a whole number", checked(oneInteger)),
            (#"["x"]"#, "an array of at most 1, each a whole number", checked(oneInteger)),
            (#""green""#, #"one of "red", "blue""#, checked(JSONForm<Colour>.choice)),
            ("2", "a known number", checked(JSONForm<Level>.choice)),
            (#"{"kty":"EC"}"#, "a public key as a JWK", checked(.publicKey)),
            (
                #"{"kty":"oct","k":"AAAAAAAAAAAAAAAAAAAAAA"}"#, "a public key as a JWK",
                checked(.publicKey)
            ),
        ]
    }

    private static var oneInteger: JSONForm<[Int64]> { .list(of: .integer, atMost: 1) }

    /// The same form, without its type of value.
    private static func checked<Value>(_ form: JSONForm<Value>) -> JSONForm<JSONValue> {
        JSONForm(form.expected) { form.read($0) == nil ? nil : $0 }
    }

    @Test("A member with another value than the form allows is refused", arguments: wrong.indices)
    func otherValue(index: Int) throws {
        let (value, expected, form) = Self.wrong[index]
        let text = try refusal(#"{"a":\#(value)}"#) { reader throws(JSONMemberError) in
            _ = try reader.required("a", form)
        }
        #expect(text?.hasPrefix("\"a\" must be \(expected), not this ") == true)
    }

    @Test("A value that the caller does not accept is refused with its name")
    func callersRefusal() throws {
        let reader = try reader(#"{"a":{"b":"x"}}"#).object("a")
        let error = reader.malformed("b", "a colour")
        #expect(error.description == #""a.b" must be a colour, not this string"#)
    }

    @Test("An unknown member is refused at the end, and a similar name is suggested")
    func unknown() throws {
        let text = try refusal(#"{"name":"x","acitve":true}"#) { reader throws(JSONMemberError) in
            _ = try reader.required("name", .string)
            _ = try reader.optional("active", .bool)
            try reader.finish()
        }
        #expect(text == #""acitve" is unknown; did you mean "active"?"#)
    }

    @Test("A member whose name is only canonically equivalent is unknown")
    func equivalentName() throws {
        let text = try refusal("{\"\u{212A}\":1}") { reader throws(JSONMemberError) in
            #expect(try reader.optional("K", .integer) == nil)
            try reader.finish()
        }
        #expect(text?.contains("is unknown") == true)
    }

    @Test("The name of an unknown member is cut in the error")
    func longName() throws {
        let name = String(repeating: "n", count: 500)
        let text = try refusal("{\"\(name)\":1}") { reader throws(JSONMemberError) in
            try reader.finish()
        }
        #expect(text == "\"\(name.prefix(64))\" is unknown")
    }

    @Test("An error in a nested object names the path")
    func path() throws {
        let object = #"{"a":{"b":[{"c":1}]}}"#
        let text = try refusal(object) { reader throws(JSONMemberError) in
            let entries = try reader.object("a").objects("b", atMost: 1)
            _ = try entries.first?.required("c", .string)
        }
        #expect(text == #""a.b.c" must be a string, not this number"#)
    }

    @Test("Elements that are not objects, or too many, are refused", arguments: ["[1]", "[{},{}]"])
    func elements(list: String) throws {
        let text = try refusal(#"{"a":\#(list)}"#) { reader throws(JSONMemberError) in
            _ = try reader.optionalObjects("a", atMost: 1)
        }
        #expect(text == #""a" must be an array of at most 1, each an object, not this array"#)
    }

    @Test("A copy records the names that were read with the original")
    func copies() throws {
        let reader = try reader(#"{"a":1}"#)
        let copy = reader
        _ = try copy.required("a", .integer)
        try reader.finish()
    }

    @Test("An error does not contain the value")
    func secret() throws {
        let text = try refusal(#"{"password":"hunter2"}"#) { reader throws(JSONMemberError) in
            _ = try reader.required("password", .bool)
        }
        #expect(text?.contains("hunter2") == false)
    }
}

extension Timestamp {
    fileprivate static var form: JSONForm<Timestamp> { .milliseconds }
}

extension TimeSpan {
    fileprivate static var form: JSONForm<TimeSpan> { .milliseconds }
}
