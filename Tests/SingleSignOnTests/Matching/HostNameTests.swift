// SPDX-License-Identifier: Apache-2.0
import SingleSignOn
import Testing

@Suite struct HostNameTests {
    @Test(
        "Hosts that are the same are equal",
        arguments: [
            ("IDP.Example.COM", "idp.example.com"), ("idp.example.com.", "idp.example.com"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("BÜCHER.example", "xn--bcher-kva.example"),
            ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
            ("faß.example", "xn--fa-hia.example"), ("例え.jp", "xn--r8jz45g.jp"),
            ("10.0.0.1", "10.0.0.1"), ("[::1]", "[::1]"), ("[2001:DB8::1]", "[2001:db8::1]"),
            ("my_host.local", "my_host.local"), ("localhost", "localhost"),
        ])
    func equal(text: String, form: String) {
        #expect(HostName(text)?.description == form)
    }

    @Test(
        "What is no host is refused",
        arguments: [
            "", ".", "..", "a..b", ".example.com", "-a.example", "a-.example", "*.example.com",
            "a b", "a/b", "a:1", "a@b", "[::1", "::1", "[]", "[:]", "[gg::1]", "a%2eb", "a\u{0}b",
            "bü cher.example", "bü/cher.example", "bü%2f.example",
            String(repeating: "a", count: 64) + ".example",
            String(repeating: "a.", count: 127) + "aa",
        ])
    func refusals(text: String) {
        #expect(HostName(text) == nil)
    }
}
