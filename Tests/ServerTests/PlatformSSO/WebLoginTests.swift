// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import OAuth
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// The web login of macOS 27, from discovery to the login with the whole callback address.
@Suite struct DeviceWebLoginTests {
    private static let settings = #""allowed_methods":["password","web_login"]"#

    /// What the device signs and posts.
    private func request(
        _ machine: TestMachine, _ start: WebLoginStart, user: String = "anna",
        by key: PrivateJWK? = nil, type: String = "platformsso-authorization-request+jwt",
        _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        var claims = try #require(
            start.claims(
                loginHint: user, scope: "openid urn:apple:platformsso:auth:login"))
        change(&claims)
        let signer = key ?? machine.signing
        let named = try signer.with(KeyParameters(keyID: TestMachine.name(machine.signing)))
        let signed = try JOSESigner(named, algorithm: .es256).sign(
            payload: claims.bytes, typ: type)
        return String(decoding: signed, as: UTF8.self)
    }

    private func discover(_ house: DeviceHouse) async throws -> WebLoginStart {
        let answer = try await house.send(.get, "/platform-sso/web-login?user=anna")
        #expect(answer.status == 200)
        // The fixture has no TLS; a real provider is refused without it.
        let text = String(decoding: answer.body, as: UTF8.self)
            .replacing("http://localhost", with: "https://localhost")
        return try WebLoginStart(discovery: Array(text.utf8), keyPath: "authorizationURL")
    }

    private func post(_ house: DeviceHouse, _ message: String) async throws -> DeviceHouse.Answer {
        try await house.form("/platform-sso/authorize", [("request", message)])
    }

    private func callback(
        _ machine: TestMachine, user: String = "anna", hint: String = "anna",
        at redirect: String = WebLoginCallback.address
    ) async throws -> String {
        let house = machine.house
        let start = try await discover(house)
        let message = try request(machine, start, user: hint) {
            $0["redirect_uri"] = .string(redirect)
        }
        let answer = try await post(house, message)
        #expect(answer.status == 303)
        let address = try await house.signIn(user, for: answer)
        #expect(address.hasPrefix(redirect + "?"))
        try WebLoginCallback(address).check(state: start.state)
        return address
    }

    private func login(
        _ machine: TestMachine, _ address: String, user: String = "anna"
    ) async throws -> (DeviceHouse.Answer, LoginRequestContext) {
        let context = try await machine.context(user)
        let draft = try context.login(
            .webLogin(try WebLoginCallback(address)), random: machine.house.random)
        return (try await machine.house.post(try machine.signed(draft)), context)
    }

    @Test("a person signs in on a page, and the machine is let in with the address at its end")
    func signsIn() async throws {
        let house = try await DeviceHouse(Self.settings)
        let machine = try await TestMachine.registered(in: house)
        let (answer, context) = try await login(machine, try await callback(machine))
        let response = try machine.response(answer, context)
        #expect(response.accessToken == nil)
        // What follows is as after any login.
        let (refreshed, second) = try await machine.refresh(response.refreshToken)
        _ = try machine.response(refreshed, second)
        let (unlock, third) = try await machine.key(.provision, response.refreshToken)
        _ = try machine.keyResponse(unlock, third)
        let device = try #require(
            try await house.provider.store.devices.devices(
                of: try await house.tenant().project.id, after: nil, limit: 1
            ).first)
        #expect(
            try await house.provider.store.devices.users(of: device.id).map(\.method) == [.webLogin]
        )
    }

    @Test("a code lets in once, on the device that began, with its state")
    func bound() async throws {
        let house = try await DeviceHouse(Self.settings)
        let machine = try await TestMachine.registered(in: house)
        let other = try await TestMachine.registered(in: house, serial: "C03")
        let address = try await callback(machine)
        #expect(try await login(other, address).0.error == "code_refused")
        let parsed = try WebLoginCallback(address)
        let swapped = WebLoginCallback.url(code: parsed.code, state: "another")
        #expect(try await login(machine, swapped).0.error == "code_refused")
        let guessed = WebLoginCallback.url(code: "guess", state: parsed.state)
        let guess = try await login(machine, guessed).0
        #expect(guess.status == 401 && guess.error == "code_refused")
        #expect(try await login(machine, address).0.status == 200)
        #expect(try await login(machine, address).0.error == "code_refused")
        let late = try await callback(machine)
        house.clock.advance(by: .minutes(11))
        #expect(try await login(machine, late).0.error == "code_refused")
    }

    @Test("a Linux machine's browser ends at a port of loopback, to which the code is bound")
    func loopback() async throws {
        let house = try await DeviceHouse(Self.settings)
        let machine = try await TestMachine.registered(in: house)
        let address = try await callback(machine, at: "http://127.0.0.1:49152/callback")
        for other in ["http://127.0.0.1:49153/callback", WebLoginCallback.address] {
            let moved = address.replacing("http://127.0.0.1:49152/callback", with: other)
            #expect(try await login(machine, moved).0.error == "code_refused")
        }
        let (answer, context) = try await login(machine, address)
        _ = try machine.response(answer, context)
        for elsewhere in ["http://localhost:1/callback", "http://127.0.0.1:1/other"] {
            let start = try await discover(house)
            let message = try request(machine, start) { $0["redirect_uri"] = .string(elsewhere) }
            #expect(try await post(house, message).json["code"] == "redirect_mismatch")
        }
    }

    @Test("a code is of no use at the token endpoint, whatever verifier comes with it")
    func tokenEndpoint() async throws {
        let house = try await DeviceHouse(Self.settings)
        let machine = try await TestMachine.registered(in: house)
        let address = try await callback(machine)
        let code = try WebLoginCallback(address).code
        for verifier in [nil, String(repeating: "a", count: 43)] as [String?] {
            var fields = [
                ("grant_type", "authorization_code"), ("code", code),
                ("client_id", "platform-sso"),
                ("redirect_uri", "com.apple.platformsso://callback"),
            ]
            if let verifier { fields.append(("code_verifier", verifier)) }
            #expect(try await house.form("/token", fields).status == 400)
        }
        #expect(try await login(machine, address).0.status == 200)
    }

    @Test("the person who signs in must be the one of the login hint")
    func otherPerson() async throws {
        let house = try await DeviceHouse(Self.settings)
        let machine = try await TestMachine.registered(in: house)
        let address = try await callback(machine, user: "bea")
        let answer = try await login(machine, address).0
        #expect(answer.status == 400 && answer.error == "user_mismatch")
    }

    @Test("a request is signed by an active device, for this provider, once, and for Apple's URL")
    func requests() async throws {
        let house = try await DeviceHouse(Self.settings)
        let machine = try await TestMachine.registered(in: house)
        let start = try await discover(house)
        let stranger = try TestMachine(house)
        let cases: [(String, String)] = [
            ("device_unknown", try request(stranger, start)),
            ("signature_invalid", try request(machine, start, by: stranger.signing)),
            (
                "redirect_mismatch",
                try request(machine, start) { $0["redirect_uri"] = "https://x.example/" }
            ),
            ("grant_unsupported", try request(machine, start) { $0["response_type"] = "token" }),
            ("client_mismatch", try request(machine, start) { $0["client_id"] = "shop" }),
            ("state_mismatch", try request(machine, start) { $0["state"] = "ours" }),
            ("claim_missing", try request(machine, start) { $0["nonce"] = nil }),
            ("type_mismatch", try request(machine, start, type: "JWT")),
            ("malformed", "a.b"),
        ]
        for (code, message) in cases {
            let answer = try await post(house, message)
            #expect(answer.status == 400 && answer.json["code"]?.string == code, "\(code)")
        }
        let good = try request(machine, start)
        #expect(try await post(house, good).status == 303)
        #expect(try await post(house, good).json["code"] == "state_mismatch")
        #expect(try await house.form("/platform-sso/authorize", []).status == 400)
        let late = try await discover(house)
        house.clock.advance(by: .minutes(5))
        let answer = try await post(house, try request(machine, late))
        #expect(answer.json["code"] == "state_mismatch")
    }

    @Test("a login request is no authorization request, and the other way round")
    func kinds() async throws {
        let house = try await DeviceHouse(Self.settings)
        let machine = try await TestMachine.registered(in: house)
        let context = try await machine.context()
        let draft = try context.login(.password(Secret("x")), random: house.random)
        let login = String(decoding: try machine.signed(draft), as: UTF8.self)
        #expect(try await post(house, login).json["code"] == "type_mismatch")
        let start = try await discover(house)
        let message = try request(machine, start)
        #expect(try await house.post(Array(message.utf8)).error == "grant_unsupported")
    }

    @Test("where web logins are not allowed there are none")
    func notAllowed() async throws {
        let house = try await DeviceHouse(Self.settings)
        let machine = try await TestMachine.registered(in: house)
        let start = try await discover(house)
        let address = try await callback(machine)
        try await house.apply(#""allowed_methods":["password"]"#)
        #expect(try await house.send(.get, "/platform-sso/web-login").status == 404)
        #expect(
            try await post(house, try request(machine, start)).json["code"] == "grant_unsupported")
        #expect(try await login(machine, address).0.error == "grant_unsupported")
    }

    @Test("discovery has the same form for all people, and differs each time")
    func discovery() async throws {
        let house = try await DeviceHouse(Self.settings)
        let first = try await discover(house)
        let second = try await discover(house)
        #expect(first.state != second.state)
        #expect(first.request?["login_hint"] == nil)
        #expect(first.authorizationURL.contains("/platform-sso/authorize?state="))
    }
}
