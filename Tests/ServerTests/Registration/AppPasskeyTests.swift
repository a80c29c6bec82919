// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Passkeys of apps, with unauthenticated requests and wrong apps. `SystemPasskeysTests` covers the
/// successful requests, with an authenticator.
@Suite struct AppPasskeyTests {
    private let house: RegistrationHouse

    init() async throws {
        house = try await RegistrationHouse()
        try await house.oauth.change(client: "app") {
            $0.metadata.grantTypes.append(TokenRequest.passkeyGrantType)
        }
    }

    private func ask(_ form: [String: String]) async throws -> JSONObject {
        let whole = form.merging(
            ["grant_type": TokenRequest.passkeyGrantType, "client_id": "app"]
        ) { own, _ in own }
        return try house.oauth.json(try await house.oauth.post("/token", whole))
    }

    private func ceremony() async throws -> String {
        let options = try await house.call(.post, "/registration/passkeys/sign-in")
        #expect(options.status == 200 && options.body["publicKey"]?["rpId"] != nil)
        // The options do not reveal who has a passkey.
        #expect(options.body["publicKey"]?["allowCredentials"]?.array?.isEmpty == true)
        return try #require(options.body["ceremony"]?.string)
    }

    @Test("What no authenticator has signed is refused, however often, and leaves nothing")
    func unsigned() async throws {
        for text in ["x", "[]", "{}", #"{"ceremony":"a"}"#, #"{"credential":{}}"#] {
            #expect(try await ask(["passkey": text])["error"] == "invalid_grant", "\(text)")
        }
        #expect(try await ask([:])["error"] == "invalid_request")
        let made = try await ceremony()
        let answer: JSONValue = ["ceremony": .string(made), "credential": ["id": "AA"]]
        let marks = try await house.oauth.provider.store.maintenance.status().rows["used_marks"]
        for _ in 0..<3 {
            let refused = try await ask(["passkey": answer.text])
            #expect(refused["error"] == "invalid_grant" && refused["code"] == "passkey_refused")
        }
        #expect(
            try await house.oauth.provider.store.maintenance.status().rows["used_marks"] == marks)
    }

    @Test("Only for clients that are registered for it, and for their scopes")
    func clients() async throws {
        let answer: JSONValue = ["ceremony": .string(try await ceremony()), "credential": [:]]
        let wide = try await ask(["passkey": answer.text, "scope": "openid everything"])
        #expect(wide["error"] == "invalid_scope")
        try await house.oauth.change(client: "app") {
            $0.metadata.grantTypes = [TokenRequest.assertionGrantType]
        }
        #expect(try await ask(["passkey": answer.text])["error"] == "unauthorized_client")
    }

    @Test("Passkeys cannot be added, listed or removed without a token; a key alone adds none")
    func account() async throws {
        for (method, path) in [
            (HTTPRequest.Method.post, "/options"), (.get, ""), (.delete, "/nobody"),
        ] {
            let answer = try await house.call(method, "/registration/passkeys" + path)
            #expect(answer.status == 401, "\(path)")
        }
        let key = try AppKey()
        let registered = try await house.registered(key)
        let signedIn = try await house.signIn(key, as: registered.userID)
        let token = try #require(signedIn["access_token"]?.string)
        let options = try await house.call(
            .post, "/registration/passkeys/options", token: token)
        #expect(options.status == 403 && options.body["code"] == "fresh_sign_in_needed")
        let added = try await house.call(
            .post, "/registration/passkeys",
            ["ceremony": .string(try await ceremony()), "credential": [:]], token: token)
        #expect(added.status == 403)
        let listed = try await house.call(.get, "/registration/passkeys", token: token)
        #expect(listed.body["items"]?.array?.isEmpty == true)
        let removed = try await house.call(
            .delete, "/registration/passkeys/nobody", token: token)
        #expect(removed.status == 404 && removed.body["code"] == "unknown_authenticator")
    }
}
