// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Server

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
}
