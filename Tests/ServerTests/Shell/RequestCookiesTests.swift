// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct RequestCookiesTests {
    @Test("cookies of all fields are read")
    func reads() {
        let cookies = RequestCookies(["a=1; b=2", "c=3"])
        #expect(cookies["a"] == "1" && cookies["b"] == "2" && cookies["c"] == "3")
    }

    @Test("a name that occurs twice has no value: a cookie cannot be shadowed")
    func shadowed() {
        #expect(RequestCookies(["a=1; a=2"])["a"] == nil)
        #expect(RequestCookies(["a=1", "a=1"])["a"] == nil)
        #expect(RequestCookies(["a=1; a=2; a=3"])["a"] == nil)
    }

    @Test(
        "ill-formed cookies have no value",
        arguments: ["a", "=1", "a=\"1\"", "a=1,2", "a=\\", "a=\u{7F}", "a=ä", "a=b c"])
    func illFormed(_ header: String) { #expect(RequestCookies([header])["a"] == nil) }

    @Test("a value longer than 4096 bytes is dropped")
    func tooLong() {
        #expect(RequestCookies(["a=" + String(repeating: "x", count: 4096)])["a"] != nil)
        #expect(RequestCookies(["a=" + String(repeating: "x", count: 4097)])["a"] == nil)
    }

    @Test("only the first 64 cookies of a field are looked at")
    func many() {
        let header = (0..<100).map { "c\($0)=v" }.joined(separator: "; ")
        #expect(RequestCookies([header])["c63"] == "v")
        #expect(RequestCookies([header])["c64"] == nil)
    }
}
