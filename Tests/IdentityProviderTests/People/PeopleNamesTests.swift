// SPDX-License-Identifier: Apache-2.0
import ProviderCore
import ProviderSettings
import Testing

@Suite struct PeopleNamesTests {
    @Test(
        "a user name has one spelling",
        arguments: [
            ("Anna", "anna"), ("  anna\n", "anna"), ("ÄNNE", "änne"), ("A\u{308}nne", "änne"),
            ("anna@example.com", "anna@example.com"), ("ana maria", "ana maria"),
        ])
    func canonical(_ typed: String, _ expected: String) {
        #expect(UserName.canonical(typed).map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test(
        "what cannot be seen is no user name",
        arguments: [
            "", "   ", "an\u{0}na", "an\u{7}na", "an\u{200B}na", "an\u{202E}na", "an\nna",
            "\u{FEFF}anna", "anna\u{E000}", "an\u{2028}na",
        ])
    func invisible(_ typed: String) { #expect(UserName.canonical(typed) == nil) }

    @Test(
        "Attack 73: a user name with invisible characters is refused",
        arguments: [
            "\u{FE0F}", "\u{034F}", "\u{3164}", "\u{115F}", "\u{2800}", "\u{FFA0}", "\u{180B}",
            "\u{E0100}", "\u{200C}", "\u{200D}",
        ])
    func blank(_ character: String) {
        for typed in ["boss" + character, "bo" + character + "ss", character + "boss"] {
            #expect(UserName.canonical(typed) == nil)
        }
    }

    @Test("128 characters are a username; 129, or one with a thousand accents, are not")
    func length() {
        #expect(UserName.canonical(String(repeating: "ä", count: 128)) != nil)
        #expect(UserName.canonical(String(repeating: "a", count: 129)) == nil)
        #expect(UserName.canonical("a" + String(repeating: "\u{316}", count: 1000)) == nil)
    }

    @Test(
        "usual addresses are addresses",
        arguments: [
            ("Anna@Example.com", "anna@example.com"), ("a.b+c@sub.example.org ", nil),
            ("root@localhost", nil),
        ] as [(String, String?)])
    func address(_ typed: String, _ expected: String?) {
        #expect(EmailAddressSyntax.canonical(typed) != nil)
        if let expected { #expect(EmailAddressSyntax.canonical(typed) == expected) }
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "anna", "@example.com", "anna@", "a@b@c", "a b@example.com", "anna@-example.com",
            "anna@example..com", "anna@[127.0.0.1]", "anna@127.0.0.1", "a\r\nBcc: x@example.com",
            "\"a\"@example.com", "anna@exämple.com",
        ])
    func noAddress(_ typed: String) { #expect(EmailAddressSyntax.canonical(typed) == nil) }

    @Test(
        "an issuer has an origin and a host",
        arguments: [
            ("https://login.example.com", "https://login.example.com", "login.example.com"),
            ("https://Login.Example.com:443/a", "https://login.example.com", "login.example.com"),
            ("http://localhost:8080", "http://localhost:8080", "localhost"),
            ("http://[::1]:8080/x", "http://[::1]:8080", "[::1]"),
        ])
    func origin(_ issuer: String, _ origin: String, _ host: String) {
        #expect(SiteOrigin(issuer: issuer)?.origin == origin)
        #expect(SiteOrigin(issuer: issuer)?.host == host)
    }

    @Test(
        "what is no web address has no origin",
        arguments: ["", "localhost", "ftp://example.com", "https://", "https://a@b"])
    func noOrigin(_ issuer: String) { #expect(SiteOrigin(issuer: issuer) == nil) }

    @Test(
        "browsers are named for people, and unknown ones are not guessed at",
        arguments: [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox on Linux"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
                    + "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge on Windows"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
                    + "Version/18.0 Mobile/15E148 Safari/604.1", "Safari on iPhone"
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
                "Chrome on Android"
            ),
            ("something/1.0", ""), ("", ""),
        ])
    func device(_ agent: String, _ words: String) {
        #expect(UserAgentDescription.describe(userAgent: agent) == words)
    }
}
