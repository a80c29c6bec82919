// SPDX-License-Identifier: Apache-2.0
import SingleSignOn
import Testing

@Suite struct HTTPAddressTests {
    @Test(
        "Addresses that are the same are equal",
        arguments: [
            ("https://idp.example.com", "HTTPS://IDP.example.com:443/"),
            ("http://idp.example.com/", "http://idp.example.com:80"),
            ("https://idp.example.com/a", "https://idp.example.com./a"),
            ("https://idp.example.com/a", "https://idp.example.com:/a"),
            ("https://bücher.example/a", "https://xn--bcher-kva.example/a"),
            ("https://a.example/x/../b", "https://a.example/b"),
            ("https://a.example/x/%2E%2e/b", "https://a.example/b"),
            ("https://a.example/./b/.", "https://a.example/b/"),
            ("https://a.example/../../b", "https://a.example/b"),
            ("https://a.example/b/..", "https://a.example/"),
            ("https://[::1]:8443/", "https://[::1]:8443"),
        ])
    func same(left: String, right: String) throws {
        #expect(try HTTPAddress(left) == HTTPAddress(right))
    }

    @Test(
        "Addresses that differ are not",
        arguments: [
            ("https://a.example/", "http://a.example/"),
            ("https://a.example/", "https://a.example:8443/"),
            ("https://a.example/b", "https://a.example/B"),
            ("https://a.example/b", "https://a.example/b/"),
            ("https://a.example/%7E", "https://a.example/~"),
            ("https://a.example/a.b", "https://a.example/ab"),
            ("https://a.example/", "https://b.a.example/"),
        ])
    func different(left: String, right: String) throws {
        #expect(try HTTPAddress(left) != HTTPAddress(right))
    }

    @Test(
        "What is no http address is refused, and why",
        arguments: [
            ("", HTTPAddress.ParseError.scheme), ("idp.example.com", .scheme), ("//idp", .scheme),
            ("ftp://a.example/", .scheme), ("https:/a.example", .scheme), ("https", .scheme),
            ("httpz://a.example", .scheme), ("https;//a.example", .scheme),
            ("https://", .host), ("https:///a", .host), ("https://?a", .host),
            ("https://*.example.com/", .host), ("https://a..b/", .host), ("https://[::1/", .host),
            ("https://me@a.example/", .userInformation),
            ("https://good.example@evil.example/", .userInformation),
            ("https://a.example:0/", .port), ("https://a.example:65536/", .port),
            ("https://a.example:-1/", .port), ("https://a.example:+1/", .port),
            ("https://a.example:8 /", .character), ("https://a.example:x/", .port),
            ("https://a.example\\@evil.example/", .character),
            ("https://a.example/a b", .character),
            ("https://a.example/\n", .character), ("https://a.example/\u{7F}", .character),
            ("https://a.example/<x>", .character),
        ])
    func refusals(text: String, fault: HTTPAddress.ParseError) {
        #expect(throws: fault) { try HTTPAddress(text) }
    }

    @Test("Query and fragment are seen, and are no part of the path")
    func tails() throws {
        let query = try HTTPAddress("https://a.example/x?y=/z#w")
        #expect(query.hasQuery && query.hasFragment && query.path == "/x")
        let fragment = try HTTPAddress("https://a.example#x?y")
        #expect(!fragment.hasQuery && fragment.hasFragment && fragment.path == "/")
    }

    @Test("An address without end is not looked at")
    func length() {
        let text = "https://a.example/" + String(repeating: "a", count: 65_536)
        #expect(throws: HTTPAddress.ParseError.character) { try HTTPAddress(text) }
    }
}
