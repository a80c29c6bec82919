// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import Storage
import Support
import Testing

@Suite struct DeregistrationTests {
    private let house: RegistrationHouse

    init() async throws { house = try await RegistrationHouse() }

    /// Registers a person without another identity provider.
    private func tester(_ key: AppKey) async throws -> AppRegistrationResponse {
        let signer = try await house.addTestKey()
        let request = try await house.request(
            .testKey, token: house.testToken(UUIDText.make()).signed(by: signer), key: key)
        return try #require(AppRegistrationResponse(try await house.send(request).body))
    }

    private func isAlive(_ tokens: JSONObject) async throws -> Bool {
        let access = try #require(tokens["access_token"]?.string)
        return try await house.oauth.userInfo(access).status.code == 200
    }

    @Test("Closing the account ends everything that was given to it, at once")
    func close() async throws {
        let key = try AppKey()
        let user = try await tester(key)
        let tokens = try await house.signIn(key, as: user.userID)
        #expect(try await isAlive(tokens))
        let access = tokens["access_token"]?.string
        var status = 0
        let cost = try await house.oauth.engine.count {
            status = try await house.call(.delete, "/registration/account", token: access).status
        }
        // The mark of the key's proof, and everything else in one commit.
        #expect(status == 204 && cost.writes == 2)
        #expect(try await !isAlive(tokens))
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try house.oauth.error(try await house.refresh(refresh)) == "invalid_grant")
        #expect(try await house.signIn(key, as: user.userID)["error"] == "invalid_grant")
        let again = try await house.call(.delete, "/registration/account", token: access)
        #expect(again.status == 401 && again.body["code"] == "not_signed_in")
        let events = try await house.events("person.deregistered")
        #expect(events.map(\.person?.description) == [user.userID])
    }

    @Test("People of another identity provider close their account there, unless allowed")
    func federated() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let access = try await house.signIn(key, as: user.userID)["access_token"]?.string
        let refused = try await house.call(.delete, "/registration/account", token: access)
        #expect(refused.status == 403 && refused.body["code"] == "deregistration_refused")
        let events = try await house.events("person.deregistered")
        #expect(events.map(\.code) == ["deregistration_refused"])
        try await house.change { $0.policy.registration.federatedDeregistration = true }
        #expect(try await house.call(.delete, "/registration/account", token: access).status == 204)
        // Who left may come again.
        let request = try await house.request(token: house.token().signed(by: house.signer))
        #expect(try await house.outcome(request) == "registered")
    }

    @Test(
        "Without a token, with an expired one, or without the scope the request is refused",
        arguments: [
            (HTTPRequest.Method.delete, "/registration/account"),
            (.get, "/registration/installations"),
            (.delete, "/registration/installations/current"),
        ])
    func tokens(method: HTTPRequest.Method, path: String) async throws {
        for token in [nil, "x", "a.b.c", ""] as [String?] {
            let answer = try await house.call(method, path, token: token)
            #expect(answer.status == 401 && answer.body["code"] == "not_signed_in")
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
        }
        // The tokens of a third-party client do not have that scope.
        let shop = try await house.oauth.tokens()["access_token"]?.string
        let answer = try await house.call(method, path, token: shop)
        #expect(answer.status == 403 && answer.body["code"] == "scope_missing")
        let key = try AppKey()
        let user = try await tester(key)
        let access = try await house.signIn(key, as: user.userID)["access_token"]?.string
        house.oauth.clock.advance(by: .hours(2))
        #expect(try await house.call(method, path, token: access).status == 401)
    }

    @Test("An installation is listed, removed, and then its key opens nothing")
    func installation() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        let tokens = try await house.signIn(key, as: user.userID)
        let access = tokens["access_token"]?.string
        let list = try await house.call(.get, "/registration/installations", token: access)
        let items = try #require(list.body["items"]?.array)
        #expect(items.count == 1 && items[0]["current"] == true)
        #expect(items[0]["id"]?.string == user.installationID)
        #expect(items[0]["name"] == "Notes on a phone")
        let removed = try await house.call(
            .delete, "/registration/installations/current", token: access)
        #expect(removed.status == 204)
        #expect(try await !isAlive(tokens))
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try house.oauth.error(try await house.refresh(refresh)) == "invalid_grant")
        #expect(try await house.signIn(key, as: user.userID)["error"] == "invalid_grant")
        // The person exists, and their identity provider can sign them in.
        let answer = try await house.signIn(try house.token().signed(by: house.signer))
        #expect(answer.status.code == 200)
    }

    @Test(
        "Another person's installation cannot be deleted, and an issuer's token has no current one")
    func others() async throws {
        let (key, other) = (try AppKey(), try AppKey())
        let user = try await house.registered(key)
        let bea = try await house.registered(other, subject: "bea")
        let access = try await house.signIn(key, as: user.userID)["access_token"]?.string
        for id in [bea.installationID, user.userID, "x", "current%00"] {
            let answer = try await house.call(
                .delete, "/registration/installations/\(id)", token: access)
            #expect(answer.status == 404)
        }
        #expect(try await house.signIn(other, as: bea.userID)["access_token"] != nil)
        let issued = try house.oauth.json(
            try await house.signIn(try house.token().signed(by: house.signer)))
        let answer = try await house.call(
            .delete, "/registration/installations/current",
            token: issued["access_token"]?.string)
        #expect(answer.status == 404 && answer.body["code"] == "unknown_installation")
    }
}
