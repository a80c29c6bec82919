// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import ProviderSupport
import Storage
import Support
import Testing

/// Scopes that a client may not have, and scopes that nothing knows.
@Suite struct ScopeRefusalTests {
    private let house: OAuthHouse

    init() async throws {
        house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.scope = "openid profile" }
    }

    private func authorize(_ scope: String) async throws -> [String: String] {
        try OAuthHouse.Answer(
            try await house.get(
                "/authorize", house.request("shop", ["scope": scope]),
                cookie: try await house.signIn().cookie)
        ).parameters
    }

    private func device(_ scope: String) async throws -> [String: String] {
        let body = try house.json(
            try await house.post(
                "/device_authorization", ["scope": scope], headers: OAuthHouse.basic("shop")))
        return ["error", "error_description"].reduce(into: [:]) { $0[$1] = body[$1]?.string }
    }

    private func lines(_ message: String) -> [CapturedLog.Line] {
        house.log.lines.filter { $0.message == message }
    }

    @Test(
        "a scope that exists and that the client may not have is an error that names it",
        arguments: [
            ("openid profile email", "email"), ("openid orders:write profile", "orders:write"),
            ("openid offline_access", "offline_access"), ("groups email nonsense", "groups email"),
        ])
    func denied(scope: String, named: String) async throws {
        for answer in [try await authorize(scope), try await device(scope)] {
            #expect(answer["error"] == "invalid_scope" && answer["code"] == nil)
            #expect(
                answer["error_description"] == "The client may not have the scope \(named).")
        }
        let line = try #require(lines("authorization request refused").first)
        #expect(line.metadata["client_id"] == "shop" && line.metadata["scope"] == scope)
        #expect(line.metadata["request_id"] == "req-1")
        let other = try #require(lines("device authorization request refused").first)
        #expect(other.metadata["client_id"] == "shop")
        #expect(other.metadata["reason"] == "The client may not have the scope \(named).")
    }

    @Test("offline_access of a client without the grant type refresh_token is an error")
    func offlineAccess() async throws {
        try await house.change(client: "shop") {
            $0.metadata.scope = "openid offline_access"
            $0.metadata.grantTypes.removeAll { $0 == "refresh_token" }
        }
        for answer in [
            try await authorize("openid offline_access"), try await device("openid offline_access"),
        ] {
            #expect(answer["error"] == "invalid_scope")
            #expect(answer["error_description"]?.contains("offline_access") == true)
        }
    }

    @Test("a scope that nothing knows is left out and logged; nothing but such scopes is an error")
    func unknown() async throws {
        let code = try #require(try await authorize("openid nonsense profile")["code"])
        let tokens = try house.json(try await house.redeem(code))
        #expect(tokens["scope"]?.string == "openid profile")
        #expect(try await device("nonsense openid")["error"] == nil)
        let left = lines("unknown scopes were left out")
        #expect(left.count == 2 && left.allSatisfy { $0.metadata["scope"] == "nonsense" })
        #expect(left.allSatisfy { $0.metadata["client_id"] == "shop" })
        for answer in [try await authorize("nonsense"), try await device("nonsense")] {
            #expect(answer["error"] == "invalid_scope")
        }
    }
}
