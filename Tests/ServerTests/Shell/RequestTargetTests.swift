// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct RequestTargetTests {
    @Test(
        "a target says its project, path and query",
        arguments: [
            ("/token", "default", "/token", nil),
            ("/authorize?a=b?c", "default", "/authorize", "a=b?c"),
            ("/p/qa/token", "qa", "/token", nil),
            ("/p/qa", "qa", "/", nil),
            ("/p/qa/?x", "qa", "/", "x"),
            (
                "/.well-known/oauth-authorization-server/p/qa", "qa",
                "/.well-known/oauth-authorization-server", nil
            ),
            (
                "/p/qa/.well-known/openid-configuration", "qa", "/.well-known/openid-configuration",
                nil
            ),
            ("/.well-known/gatehouse/", "default", "/.well-known/gatehouse/", nil),
            ("/.well-known/gatehouse/qa", "default", "/.well-known/gatehouse/qa", nil),
        ] as [(String, String, String, String?)])
    func parses(_ target: String, _ project: String, _ path: String, _ query: String?) {
        let parsed = RequestTarget(target)
        #expect(parsed.project == project && parsed.path == path && parsed.query == query)
    }

    @Test("the default project has one address only, and a project must have a name")
    func noAlias() {
        #expect(RequestTarget("/p/default/token").project == "?")
        #expect(RequestTarget("/p//token").project == "?")
    }

    @Test(
        "the issuer's path comes before every path, and after a well-known name",
        arguments: [
            ("/id/auth", "default", "/", nil), ("/id/auth?x", "default", "/", "x"),
            ("/id/auth/token", "default", "/token", nil),
            ("/id/auth/p/qa/token?y", "qa", "/token", "y"), ("/id/auth/p/qa", "qa", "/", nil),
            (
                "/id/auth/.well-known/openid-configuration", "default",
                "/.well-known/openid-configuration", nil
            ),
            (
                "/.well-known/openid-configuration/id/auth", "default",
                "/.well-known/openid-configuration", nil
            ),
            (
                "/.well-known/oauth-authorization-server/id/auth/p/qa", "qa",
                "/.well-known/oauth-authorization-server", nil
            ),
            ("/.well-known/webauthn", "default", "/.well-known/webauthn", nil),
            ("/health/live?z", "default", "/health/live", "z"),
            ("/id/auth/health/live", "default", "/health/live", nil),
        ] as [(String, String, String, String?)])
    func below(_ target: String, _ project: String, _ path: String, _ query: String?) {
        let parsed = Self.below(target)
        #expect(parsed.project == project && parsed.path == path && parsed.query == query)
    }

    @Test(
        "Attack 46: what only resembles the issuer's path is nowhere, and what is above it neither",
        arguments: [
            "/", "/token", "/id", "/id/", "/id/token", "/id/authx/token", "/id/auth%2Ftoken",
            "/ID/auth/token", "//id/auth/token", "/id//auth/token", "/id/%61uth/token",
            "/x/../id/auth/token", "/p/qa/token", "/p/qa/id/auth/token", "id/auth/token", "*",
            "/.well-known/openid-configuration", "/.well-known/openid-configuration/p/qa",
            "/.well-known/openid-configuration/id/auth/",
            "/.well-known/openid-configuration/id/authx",
            "/.well-known/openid-configuration/id/auth/p/default",
            "/.well-known/x/openid-configuration/id/auth", "/health/ready",
        ])
    func nowhere(_ target: String) {
        let parsed = Self.below(target)
        #expect(parsed.project == "?" && parsed.path.isEmpty)
    }

    @Test("what begins below the issuer's path is taken as it is written: no dots are resolved")
    func dots() {
        #expect(Self.below("/id/auth/../../token").path == "/../../token")
        #expect(Self.below("/id/auth//token").path == "//token")
    }

    private static func below(_ target: String) -> RequestTarget {
        RequestTarget(
            target, base: "/id/auth", ofHost: ["/.well-known/webauthn", "/health/live"])
    }
}
