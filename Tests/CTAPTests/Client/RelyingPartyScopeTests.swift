// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

@Suite struct RelyingPartyScopeTests {
    private let scope = RelyingPartyScope()

    private func refusal(_ id: String?, _ origin: String) -> RelyingPartyScopeError? {
        do {
            _ = try scope.check(id: id, origin: origin)
            return nil
        } catch { return error }
    }

    @Test(
        "Attack 33: an RP ID that the origin's host is not, or not below, is refused",
        arguments: [
            ("example.com", "https://example.org"), ("example.org", "https://evil-example.org"),
            ("example.org", "https://example.org.evil.com"),
            ("a.example.org", "https://example.org"),
            ("login.example.org", "https://other.example.org"), ("le.org", "https://example.org"),
        ])
    func outside(id: String, origin: String) {
        #expect(refusal(id, origin) == .originOutsideID)
    }

    @Test(
        "Attack 33: a public suffix is no RP ID for those below it",
        arguments: [
            ("com", "https://example.com"), ("co.uk", "https://example.co.uk"),
            ("github.io", "https://somebody.github.io"), ("org", "https://login.example.org"),
            ("kobe.jp", "https://example.c.kobe.jp"), ("example", "https://host.example"),
        ])
    func publicSuffix(id: String, origin: String) {
        #expect(refusal(id, origin) == .idIsPublicSuffix)
    }

    @Test(
        "Attack 33: http is refused everywhere but on the machine itself",
        arguments: ["http://example.org", "http://localhost.example.org", "http://10.example"])
    func insecure(origin: String) {
        #expect(refusal("example.org", origin) == .originNotSecure)
    }

    @Test(
        "Attack 33: an address is no host for security keys",
        arguments: [
            "https://192.0.2.1", "https://127.0.0.1:8443", "http://127.0.0.1", "https://[::1]",
            "https://[2001:db8::1]:443", "https://0x7f000001", "https://1.2.3.0x4",
        ])
    func address(origin: String) { #expect(refusal(nil, origin) == .hostIsAddress) }

    @Test(
        "Attack 39: a link of a QR code is no site, and no key is reached at a distance",
        arguments: ["FIDO:/0123456789", "fido:/1", "FIDO://example.org"])
    func link(text: String) {
        #expect(refusal(nil, text) == .originMalformed)
        #expect(AuthenticatorDescription.Kind(rawValue: "hybrid") == nil)
        #expect(AuthenticatorDescription.Kind(rawValue: "ble") == nil)
    }

    @Test(
        "Attack 4: what no browser writes as an origin is refused",
        arguments: [
            "", "null", "example.org", "https://", "https://Example.org", "https://example.org/",
            "https://example.org.", "https://user@example.org", "https://example.org:443",
            "https://example.org:0", "https://example.org:65536", "https://example.org:080",
            "https://example.org:", "https://exämple.org", "https://exa mple.org",
            "ftp://example.org", "android:apk-key-hash:abc", "https://example.org?x",
            "https://-example.org", "https://example..org", "https://example.org:1:2",
        ])
    func malformed(origin: String) { #expect(refusal(nil, origin) == .originMalformed) }

    @Test(
        "Attack 33: an RP ID that is no domain name is refused",
        arguments: [
            "", "Example.org", "example.org.", ".org", "ex ample.org", "*.example.org",
            "https://example.org",
        ])
    func malformedID(id: String) {
        #expect(refusal(id, "https://login.example.org") == .idMalformed)
    }

    @Test(
        "the host itself and what is above it up to the registrable domain are allowed",
        arguments: [
            ("login.example.org", "https://login.example.org"),
            ("example.org", "https://login.example.org"),
            ("example.org", "https://login.example.org:8443"),
            ("localhost", "http://localhost:8080"), ("localhost", "https://localhost"),
            ("a.localhost", "http://a.localhost"), ("example.co.uk", "https://a.b.example.co.uk"),
            ("somebody.github.io", "https://somebody.github.io"),
            ("city.kobe.jp", "https://www.city.kobe.jp"),
        ])
    func allowed(id: String, origin: String) throws {
        let result = try scope.check(id: id, origin: origin)
        #expect(result.id == id)
        #expect(result.origin == origin)
    }

    @Test("without an RP ID the host is taken")
    func defaultID() throws {
        #expect(try scope.check(id: nil, origin: "https://a.example.org").id == "a.example.org")
    }

    @Test("an app may use the domains that it is associated with, and no other")
    func app() throws {
        let result = try scope.check(
            id: "example.org", associatedDomains: ["example.org", "b.org"])
        #expect(result.origin == "https://example.org")
        #expect(throws: RelyingPartyScopeError.domainNotAssociated) {
            try scope.check(id: "a.example.org", associatedDomains: ["example.org"])
        }
        #expect(throws: RelyingPartyScopeError.domainNotAssociated) {
            try scope.check(id: "example.org", associatedDomains: [])
        }
        #expect(throws: RelyingPartyScopeError.idMalformed) {
            try scope.check(id: nil, associatedDomains: ["a.org", "b.org"])
        }
        #expect(throws: RelyingPartyScopeError.idMalformed) {
            try scope.check(id: "192.0.2.1", associatedDomains: ["192.0.2.1"])
        }
    }

    @Test("every refusal has a different sentence")
    func sentences() {
        let sentences = Set(RelyingPartyScopeError.allCases.map(\.sentence))
        #expect(sentences.count == RelyingPartyScopeError.allCases.count)
    }
}
