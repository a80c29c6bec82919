// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Routes and methods that other products leave open, and that are absent here, or enabled in one
/// project only.
@Suite("Shut doors") struct ShutDoorTests {
    private let house: RegistrationHouse

    init() async throws { house = try await RegistrationHouse() }

    @Test("Attack 27: an issuer of one project registers no person in another")
    func otherProject() async throws {
        let other = try await house.oauth.addProject("qa")
        let testSigner = try await house.addTestKey()
        let vouchers: [(AppRegistrationMethod, String)] = [
            (.signedJWT, try house.token().signed(by: house.signer)),
            (.testKey, try house.testToken().signed(by: testSigner)),
        ]
        for (method, token) in vouchers {
            let here = try await house.nonce(method.rawValue)
            let there = try await house.nonce(method.rawValue, prefix: other.pathPrefix)
            for nonce in [here, there] {
                let request = try await house.request(
                    method, token: token, key: try AppKey(), nonce: nonce)
                let answer = try await house.call(
                    .post, "/registration", request.json, prefix: other.pathPrefix)
                let code = answer.body["code"]?.string ?? ""
                #expect(["token_refused", "test_key_refused", "challenge_refused"].contains(code))
            }
            // Nothing was consumed before the refusal.
            let request = try await house.request(method, token: token, key: try AppKey())
            #expect(try await house.outcome(request) == "registered")
        }
        let strangers = try await house.provider.store.people.people(
            of: other.project.id, after: nil, limit: 10)
        #expect(strangers.isEmpty)
    }

    @Test("Attack 27: an issuer of the same name and key id is accepted in its own project only")
    func sameName() async throws {
        let other = try await house.oauth.addProject("qa")
        let foreign = try await RegistrationHouse.addIssuer(to: house.oauth, in: other)
        let request = try await house.request(
            token: try house.token().signed(by: foreign), key: try AppKey())
        #expect(try await house.outcome(request) == "token_refused")
    }

    @Test("Attack 43: clients cannot be registered or changed by themselves")
    func clientRegistration() async throws {
        let metadata = try house.oauth.json(
            try await house.oauth.get("/.well-known/openid-configuration"))
        #expect(metadata["registration_endpoint"] == nil)
        let before = try await house.provider.store.clients.client(
            clientID: "shop", in: house.oauth.tenant.project.id)
        let wish: JSONValue = [
            "client_id": "shop", "redirect_uris": ["https://evil.example/"],
            "token_endpoint_auth_method": "none", "jwks_uri": "https://evil.example/jwks",
            "scope": "openid admin",
        ]
        for path in [
            "/register", "/clients", "/clients/shop", "/connect/register", "/oauth/register",
            "/registration/shop",
        ] {
            for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
                let answer = try await house.oauth.send(
                    method, path,
                    headers: OAuthHouse.basic("shop").merging(.contentType, "application/json"),
                    body: wish.text)
                #expect([404, 405].contains(answer.status.code), "\(method) \(path)")
            }
        }
        let after = try await house.provider.store.clients.client(
            clientID: "shop", in: house.oauth.tenant.project.id)
        #expect(before == after)
    }
}

extension HTTPFields {
    /// With that field besides.
    fileprivate func merging(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var fields = self
        fields[name] = value
        return fields
    }
}
