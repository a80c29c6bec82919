// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import Testing

@Suite("Form encoding and Base64")
struct FormEncodingTests {
    @Test("what is encoded comes back", arguments: ["", "a b", "ü&=+%", "~-._", "日本"])
    func roundTrip(text: String) {
        #expect(FormEncoding.decode(Array(FormEncoding.encode(text).utf8)) == text)
    }

    @Test("unreserved characters stay, everything else is percent-encoded")
    func encoding() {
        #expect(FormEncoding.encode("aZ09-._~ /+") == "aZ09-._~%20%2F%2B")
        #expect(
            FormEncoding.encode([(name: "a b", value: "&"), (name: "c", value: "")])
                == "a%20b=%26&c=")
    }

    @Test(
        "bad escapes, invalid UTF-8 and NUL are refused",
        arguments: ["%", "%4", "%zz", "%ff", "%00", "a%c3", "%-1"])
    func refusals(text: String) { #expect(FormEncoding.decode(Array(text.utf8)) == nil) }

    @Test("Base64 round trip", arguments: 0..<20)
    func base64(length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }

    @Test(
        "Base64 is strict",
        arguments: [
            "A", "AA", "AAA", "AA=", "A===", "AB==", "AA==AA==",
            "AA-_", "AAA AA==", "====", "AAB=",
        ])
    func strictBase64(text: String) { #expect(Base64.decode(text) == nil) }
}
