// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderSupport
import Storage
import Support
import Testing

/// A client that is set up wrongly: the operator reads why, and the person sees nothing secret.
@Suite struct IntegrationErrorTests {
    private let house: OAuthHouse

    init() async throws { house = try await OAuthHouse() }

    private func events() async throws -> [AuditEvent] {
        await house.provider.audit.flush()
        var filter = AuditFilter()
        filter.action = "authorization"
        return try await house.provider.store.auditLog.auditEvents(filter, before: nil, limit: 100)
    }

    private func lines(_ message: String) -> [CapturedLog.Line] {
        house.log.lines.filter { $0.message == message }
    }

    private func details(_ event: AuditEvent) throws -> JSONObject {
        try JSONParser.parseObject(Array(event.details.utf8), maximumBytes: 65_536)
    }

    @Test("A wrong redirect_uri is told with what was sent, what is registered, and the number")
    func redirect() async throws {
        let wrong = "https://shop.example.com/calback"
        let answer = try await house.get(
            "/authorize", house.request("shop", ["redirect_uri": wrong]))
        #expect(answer.status == .badRequest)
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(page.contains("req-1"))
        for secret in [wrong, OAuthHouse.redirectURI, "calback"] { #expect(!page.contains(secret)) }
        let event = try #require(try await events().first)
        #expect(event.clientID == "shop" && event.code == "invalid_request")
        #expect(event.requestID == "req-1")
        let said = try details(event)
        #expect(said["redirect_uri"]?.string == wrong)
        #expect(said["registered"]?.string == OAuthHouse.redirectURI)
        let line = try #require(lines("authorization request refused").first)
        #expect(line.metadata["client_id"] == "shop" && line.metadata["redirect_uri"] == wrong)
        #expect(line.metadata["registered"] == OAuthHouse.redirectURI)
        #expect(line.metadata["request_id"] == "req-1")
    }

    @Test("So are an unknown client and a scope that the client may not have")
    func others() async throws {
        _ = try await house.get("/authorize", house.request("shpo"))
        _ = try await house.get("/authorize", house.request("shop", ["scope": "admin"]))
        let codes = try await events().map { [$0.clientID ?? "", $0.code ?? ""] }
        #expect(Set(codes) == [["", "invalid_client"], ["shop", "invalid_scope"]])
        let unknown = try #require(try await events().first { $0.clientID == nil })
        #expect(try details(unknown)["client_id"]?.string == "shpo")
        #expect(lines("authorization request refused").count == 2)
    }

    @Test(
        "Unauthenticated requests do not fill the audit log: one event a minute, the rest is counted"
    )
    func bounded() async throws {
        for number in 0..<50 {
            let sent = "https://evil.example/\(number)\n" + String(repeating: "x", count: 5000)
            _ = try await house.get(
                "/authorize", house.request("shop", ["redirect_uri": sent]))
            _ = try await house.get("/authorize", house.request("nobody-\(number)"))
        }
        let found = try await events()
        #expect(found.count == 4 && found.map(\.count).reduce(0, +) == 100)
        #expect(found.allSatisfy { $0.details.utf8.count < 2000 })
        for line in lines("authorization request refused") {
            #expect(line.metadata.values.allSatisfy { $0.count <= 600 && !$0.contains("\n") })
        }
    }

    @Test("A decision of a person, or a missing one, is not an error of the client")
    func outcomes() async throws {
        _ = try await house.get("/authorize", house.request("shop", ["prompt": "none"]))
        #expect(lines("authorization request refused").isEmpty)
    }

    @Test("Parameters that are repeated or cannot be read are told with the number of the page")
    func unreadable() async throws {
        for query in ["client_id=shop&state=1&state=2", "client_id=shop&state=%ff"] {
            let answer = try await house.send(.get, "/authorize?" + query)
            #expect(answer.status == .badRequest)
        }
        _ = try await house.send(
            .post, "/authorize", headers: [.contentType: "text/plain"], body: "x")
        let found = lines("authorization request refused")
        #expect(found.count == 3)
        #expect(found.map { $0.metadata["client_id"] } == ["shop", "shop", "-"])
        #expect(found.first?.metadata["reason"]?.contains("more than once") == true)
        let event = try #require(try await events().last)
        #expect(event.code == "invalid_request" && event.requestID == "req-1")
        let said = try details(event)
        #expect(said["client_id"]?.string == "shop" && said["reason"]?.string?.isEmpty == false)
    }

    @Test("A refused token request is logged with the client that it named")
    func token() async throws {
        _ = try await house.post(
            "/token", ["grant_type": "client_credentials"],
            headers: OAuthHouse.basic("shop", "wrong"))
        _ = try await house.post(
            "/token", ["grant_type": "client_credentials"], headers: OAuthHouse.basic("ghost"))
        let named = lines("token request refused").map { $0.metadata["client_id"] }
        #expect(named == ["shop", "ghost"])
    }

    @Test("An unregistered post-logout address is logged with those that are registered")
    func logout() async throws {
        let (cookie, _) = try await house.signIn()
        let tokens = try await house.tokens(cookie: cookie)
        let hint = try #require(tokens["id_token"]?.string)
        let wrong = "https://shop.example.com/by"
        let answer = try await house.get(
            "/end_session", ["id_token_hint": hint, "post_logout_redirect_uri": wrong],
            cookie: cookie)
        #expect(answer.headers[.location] == "/sign-out?left=address")
        let line = try #require(lines("post-logout address is not registered").first)
        #expect(line.metadata["post_logout_redirect_uri"] == wrong)
        #expect(line.metadata["registered"] == "https://shop.example.com/bye")
        #expect(line.metadata["client_id"] == "shop")
    }
}
