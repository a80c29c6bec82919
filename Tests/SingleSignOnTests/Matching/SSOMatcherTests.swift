// SPDX-License-Identifier: Apache-2.0
import SingleSignOn
import Testing

@Suite struct SSOMatcherTests {
    private func redirect(_ name: String, _ urls: [String]) -> SSOConfiguration {
        var configuration = SSOConfiguration()
        configuration.extensionIdentifier = name
        configuration.type = .redirect
        configuration.urls = urls
        return configuration
    }

    private func credential(
        _ name: String, _ hosts: [String], realm: String? = nil
    ) -> SSOConfiguration {
        var configuration = SSOConfiguration()
        configuration.extensionIdentifier = name
        configuration.type = .credential
        configuration.hosts = hosts
        configuration.realm = realm
        return configuration
    }

    private var matcher: SSOMatcher {
        SSOMatcher([
            redirect("whole", ["https://idp.example.com"]),
            redirect("auth", ["https://idp.example.com/auth"]),
            redirect("deep", ["https://idp.example.com/auth/realms/a/", "http://plain.example/"]),
            redirect("port", ["https://idp.example.com:8443/"]),
            credential("exact", ["web.example.com"], realm: "EXAMPLE.COM"),
            credential("below", [".example.com", ".sub.example.com"]),
            credential("sub", [".deep.sub.example.com"], realm: "example.com"),
        ])
    }

    @Test(
        "The longest prefix wins",
        arguments: [
            ("https://idp.example.com/", "whole"), ("https://idp.example.com", "whole"),
            ("https://IDP.EXAMPLE.COM.:443/x?y#z", "whole"),
            ("https://idp.example.com/aut", "whole"), ("https://idp.example.com/Auth", "whole"),
            ("https://idp.example.com/auth", "auth"), ("https://idp.example.com/auth?x", "auth"),
            // Decision: a prefix consists of characters, not of segments.
            ("https://idp.example.com/authority", "auth"),
            ("https://idp.example.com/auth/realms/a", "auth"),
            ("https://idp.example.com/auth/realms/a/login", "deep"),
            ("https://idp.example.com/auth/realms/b/login", "auth"),
            ("https://idp.example.com/x/../auth/", "auth"),
            ("https://idp.example.com/auth/../x", "whole"),
            ("https://idp.example.com:8443/auth", "port"), ("http://plain.example/x", "deep"),
        ])
    func prefixes(url: String, name: String) {
        #expect(matcher.redirect(for: url)?.extensionIdentifier == name)
    }

    @Test(
        "Other schemes, hosts and ports do not match",
        arguments: [
            "http://idp.example.com/auth", "https://idp.example.com.evil.example/auth",
            "https://idp.example.comevil.example/", "https://x.idp.example.com/",
            "https://idp.example.com:444/", "https://idp.example.com@evil.example/",
            "https://evil.example/https://idp.example.com/", "https://plain.example/", "", "x",
            "https://web.example.com/", "realm://EXAMPLE.COM",
        ])
    func strangers(url: String) {
        #expect(matcher.redirect(for: url) == nil)
    }

    @Test(
        "An exact host goes before its domain, the nearest domain before others",
        arguments: [
            ("web.example.com", "exact"), ("WEB.example.com.", "exact"),
            ("other.example.com", "below"), ("a.web.example.com", "below"),
            ("x.sub.example.com", "below"), ("deep.sub.example.com", "below"),
            ("x.deep.sub.example.com", "sub"),
        ])
    func hosts(host: String, name: String) {
        #expect(matcher.credential(forHost: host)?.extensionIdentifier == name)
    }

    @Test(
        "A domain is not below itself, and its name is not the end of another",
        arguments: ["example.com", "badexample.com", "com", "", "web.example.com.evil.example"])
    func otherHosts(host: String) {
        #expect(matcher.credential(forHost: host) == nil)
    }

    @Test("The case of a realm matters")
    func realms() {
        #expect(matcher.credential(forRealm: "EXAMPLE.COM")?.extensionIdentifier == "exact")
        #expect(matcher.credential(forRealm: "example.com")?.extensionIdentifier == "sub")
        #expect(matcher.credential(forRealm: "Example.com") == nil)
        #expect(matcher.credential(forRealm: "") == nil)
    }

    @Test("Addresses that cannot match are left out, and types keep to their keys")
    func unusable() {
        var wrong = redirect("wrong", ["nonsense", "https://a.example/?x", "https://b.example/#x"])
        wrong.hosts = ["c.example"]
        let matcher = SSOMatcher([wrong, credential("c", ["*.d.example", ""])])
        for url in ["https://a.example/", "https://b.example/"] {
            #expect(matcher.redirect(for: url) == nil)
        }
        #expect(matcher.credential(forHost: "c.example") == nil)
        #expect(matcher.credential(forHost: "x.d.example") == nil)
    }

    @Test("Of two configurations for one address the first counts")
    func first() {
        let matcher = SSOMatcher([
            redirect("a", ["https://a.example/x"]), redirect("b", ["https://A.example:443/x"]),
        ])
        #expect(matcher.redirect(for: "https://a.example/x")?.extensionIdentifier == "a")
    }

    @Test("Among ten thousand prefixes of one host a lookup finds what a search of all finds")
    func many() {
        // Nested prefixes with a large depth, and many unrelated ones.
        var paths = (0..<5000).map { "/p/\($0)" }
        paths += (1...5000).map {
            "/q" + String(repeating: "/\($0 % 7)", count: $0 % 50) + "/\($0)"
        }
        let urls = paths.map { "https://idp.example.com" + $0 }
        let matcher = SSOMatcher(urls.map { redirect($0, [$0]) })
        for number in stride(from: 0, to: 10_000, by: 37) {
            let path = paths[number] + "/tail"
            let longest = paths.filter { path.hasPrefix($0) }.max { $0.utf8.count < $1.utf8.count }
            let found = matcher.redirect(for: "https://idp.example.com\(path)")?.extensionIdentifier
            #expect(found == longest.map { "https://idp.example.com" + $0 })
        }
        #expect(matcher.redirect(for: "https://idp.example.com/other") == nil)
    }

    @Test(
        "A locked screen, denied apps and quiet requests",
        arguments: [
            (SSORequest(callerBundleIdentifier: "com.a"), SSODecision.askExtension),
            (SSORequest(callerBundleIdentifier: "com.denied"), .ordinaryPath),
            (SSORequest(callerBundleIdentifier: "com.Denied"), .askExtension),
            (SSORequest(callerBundleIdentifier: "com.denied", isScreenLocked: true), .ordinaryPath),
            (SSORequest(callerBundleIdentifier: "com.a", isScreenLocked: true), .cancel),
            (
                SSORequest(
                    callerBundleIdentifier: "com.a", isScreenLocked: true,
                    isUserInterfaceEnabled: false), .askExtension
            ),
            (
                SSORequest(
                    callerBundleIdentifier: "com.a", isScreenLocked: true, isBackground: true),
                .askExtension
            ),
        ])
    func decisions(request: SSORequest, decision: SSODecision) {
        var configuration = redirect("a", [])
        configuration.deniedBundleIdentifiers = ["com.denied"]
        #expect(configuration.decision(on: request) == decision)
    }

    @Test("Behind a locked screen requests go on without sign-on where the profile says so")
    func doNotHandle() {
        var configuration = redirect("a", [])
        configuration.screenLockedBehavior = .doNotHandle
        let request = SSORequest(callerBundleIdentifier: "com.a", isScreenLocked: true)
        #expect(configuration.decision(on: request) == .ordinaryPath)
    }
}
