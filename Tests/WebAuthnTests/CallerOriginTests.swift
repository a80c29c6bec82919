// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing
import WebAuthn

/// Origins as clients write them, and the document that relates them (attacks 4 and 32).
@Suite struct CallerOriginTests {
    private static let androidHash = Base64URL.encode([UInt8](repeating: 7, count: 32))

    @Test(
        "Origins that a client can write are read, and written the same",
        arguments: [
            "https://example.org", "https://login.example.org:8443", "http://localhost",
            "http://localhost:8080", "https://xn--bcher-kva.example", "https://localhost",
            "android:apk-key-hash:BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc",
            "ios:bundle-id:org.example.App-1",
        ])
    func accepted(_ text: String) throws {
        #expect(try #require(CallerOrigin(text)).description == text)
    }

    @Test(
        "Attack 4: what no client writes is refused",
        arguments: [
            "", "null", "example.org", "https://", "https://example.org/", "https://example.org.",
            "https://Example.org", "HTTPS://example.org", "https://example.org:443",
            "https://example.org:", "https://example.org:0", "https://example.org:065",
            "https://example.org:65536", "https://example.org:8443:1", "https://user@example.org",
            "https://bücher.example", "https://192.0.2.1", "https://[::1]", "http://example.org",
            "http://localhost:80", "https://-a.example", "https://a..example",
            "https://a_b.example",
            "https://example.org?x", "https://*.example.org", "ftp://example.org",
            "android:apk-key-hash:AAAA", "android:apk-key-hash:", "android:apk-key-hash-sha256:AA",
            "ios:bundle-id:", "ios:bundle-id:a b", "https://example.org\u{0}",
        ])
    func refused(_ text: String) { #expect(CallerOrigin(text) == nil) }

    @Test("Attack 4: origins of apps are compared exactly")
    func appOrigins() async throws {
        let mine = "android:apk-key-hash:\(Self.androidHash)"
        let apple = "ios:bundle-id:org.example.app"
        var ceremony = RegistrationCeremony()
        ceremony.party = RelyingParty(id: "example.org", origins: [mine, apple])
        for origin in [mine, apple] {
            ceremony.origin = origin
            _ = try await ceremony.verify().get()
        }
        for origin in [
            mine + "=", mine.lowercased(), String(mine.dropLast()), apple.uppercased(),
            "android:apk-key-hash:", "ios:bundle-id:org.example.app2", "https://example.org",
        ] {
            ceremony.origin = origin
            #expect(
                await ceremony.verify().refusal == refusal(.registration, 9, .originNotAllowed))
        }
    }

    // MARK: Related origins, section 5.11

    @Test("The document lists the origins, and nothing else")
    func document() throws {
        let related = try RelatedOrigins(["https://example.com", "https://example.net:8443"])
        #expect(
            related.json.text
                == #"{"origins":["https://example.com","https://example.net:8443"]}"#)
        #expect(try RelatedOrigins([]).json.text == #"{"origins":[]}"#)
    }

    @Test("Attack 32: more than five labels are refused, any number of hosts under five is not")
    func labels() throws {
        let five = (1...5).flatMap { ["https://a\($0).example", "https://login.a\($0).example"] }
        _ = try RelatedOrigins(five)
        #expect(throws: RelatedOrigins.Refusal.tooManyLabels(6)) {
            try RelatedOrigins(five + ["https://a6.example"])
        }
        // Each is a separate site, and so has a separate label.
        let british = (1...6).map { "https://a\($0).co.uk" }
        #expect(throws: RelatedOrigins.Refusal.tooManyLabels(6)) {
            try RelatedOrigins(british)
        }
        let everywhere = ["com", "co.uk", "co.jp", "com.au", "de", "fr", "com.br"]
        _ = try RelatedOrigins(everywhere.map { "https://login.example.\($0)" })
    }

    @Test("Attack 32: what is no secure web origin is refused")
    func relatedRefused() {
        for origin in [
            "http://localhost", "https://example.com/", "*", "android:apk-key-hash:x", "null",
            "https://com", "https://co.uk", "https://github.io", "https://192.0.2.1",
        ] {
            #expect(throws: RelatedOrigins.Refusal.origin(origin)) {
                try RelatedOrigins(["https://example.com", origin])
            }
        }
        #expect(throws: RelatedOrigins.Refusal.repeated("https://example.com")) {
            try RelatedOrigins(["https://example.com", "https://example.com"])
        }
        #expect(throws: RelatedOrigins.Refusal.tooManyOrigins(65)) {
            try RelatedOrigins((0..<65).map { "https://h\($0).example.com" })
        }
    }
}
