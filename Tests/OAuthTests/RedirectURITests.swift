// SPDX-License-Identifier: Apache-2.0
import OAuth
import Testing

@Suite("Redirect addresses")
struct RedirectURITests {
    @Test(
        "addresses that may be registered",
        arguments: [
            "https://example.com", "https://example.com/cb?x=1&y=2", "https://example.com:8443/cb",
            "http://localhost:9001/callback", "http://127.0.0.1/cb", "http://[::1]:80/cb",
            "com.example.app:/callback", "com.example.app://callback",
        ])
    func allowed(text: String) { #expect(RedirectURI(text) != nil) }

    @Test(
        "addresses that may not",
        arguments: [
            "", "/cb", "//example.com/cb", "example.com", "https:", "https:/example.com",
            "https:///cb", "https://", "http://example.com/cb", "http://localhost.evil.tld/cb",
            "https://a@example.com/", "https://a:b@example.com/", "https://example.com/#f",
            "https://*.example.com/", "https://example.com:0/", "https://example.com:/",
            "https://example.com:65536/", "https://example.com:80a/", "https://[::1/cb",
            "https://exa mple.com/", "https://example.com/\n", "https://example.com\\@evil/",
            "https://ex%61mple.com/", "javascript:alert(1)", "data:text/html,x", "JAVASCRIPT:x",
            "vbscript:x", "file:///etc/passwd", "blob:https://x/", "HTTPS://example.com/",
            "myapp:/cb", "https://example.com/ü", "https://example.com/\"", "https://example.com/<",
        ])
    func refused(text: String) { #expect(RedirectURI(text) == nil) }

    @Test("a long address is refused unread")
    func long() {
        #expect(RedirectURI("https://example.com/" + String(repeating: "a", count: 2048)) == nil)
    }

    @Test("only the port of a loopback address is free")
    func loopback() throws {
        let registered = try #require(RedirectURI("http://127.0.0.1/cb"))
        for text in ["http://127.0.0.1/cb", "http://127.0.0.1:1/cb", "http://127.0.0.1:65535/cb"] {
            let address = try #require(RedirectURI(text))
            #expect(address.matches(registered))
        }
        for text in [
            "http://[::1]:1/cb", "https://127.0.0.1:1/cb", "http://127.0.0.1:1/",
            "http://localhost:1/cb",
            "http://127.0.0.1:1/cb?x",
        ] {
            let address = try #require(RedirectURI(text))
            #expect(!address.matches(registered))
        }
        let named = try #require(RedirectURI("http://localhost:9001/cb"))
        let other = try #require(RedirectURI("http://localhost:9002/cb"))
        #expect(!other.matches(named))
    }

    @Test("origin is what a content security policy wants")
    func origin() {
        #expect(RedirectURI("https://example.com:8443/cb?x")?.origin == "https://example.com:8443")
        #expect(RedirectURI("com.example.app:/cb")?.origin == "com.example.app:")
    }
}
