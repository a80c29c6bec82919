// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import OAuth
import Primitives
import ProtocolEndpoints
import ProviderCore
import ProviderSupport
import ProviderTokens
import Storage
import Support
import Testing
import WebPages

/// RFC 8628, from the device's and from the person's side.
@Suite("Device authorization")
struct DeviceTests {
    private func begin(
        _ house: OAuthHouse, _ clientID: String = "shop", scope: String = "openid offline_access"
    ) async throws -> (device: String, user: String) {
        let answer = try house.json(
            try await house.post(
                "/device_authorization", ["scope": scope], headers: OAuthHouse.basic(clientID)))
        return (
            try #require(answer["device_code"]?.string), try #require(answer["user_code"]?.string)
        )
    }

    private func poll(
        _ house: OAuthHouse, _ code: String, by clientID: String = "shop"
    ) async throws -> ServerResponse {
        try await house.post(
            "/token", ["grant_type": TokenRequest.deviceCodeGrantType, "device_code": code],
            headers: OAuthHouse.basic(clientID))
    }

    private func decide(
        _ house: OAuthHouse, _ code: String, allow: Bool = true, as signedIn: AuthenticatedSession
    ) async throws -> Result<DeviceConsent, Refusal> {
        try await DeviceAuthorizationEndpoint(house.provider).decide(
            userCode: code, allow: allow, tenant: house.tenant, facts: house.facts,
            signedIn: signedIn)
    }

    @Test("the answer of section 3.2")
    func answer() async throws {
        let house = try await OAuthHouse()
        let answer = try house.json(
            try await house.post(
                "/device_authorization", [:], headers: OAuthHouse.basic("shop")))
        let code = try #require(answer["user_code"]?.string)
        #expect(code.count == 9 && code.dropFirst(4).first == "-")
        #expect(answer["verification_uri"]?.string == OAuthHouse.issuer + "/device")
        #expect(
            answer["verification_uri_complete"]?.string
                == OAuthHouse.issuer + "/device?user_code=" + code)
        #expect(answer["expires_in"]?.integer == 600)
        #expect(answer["interval"]?.integer == 5)
    }

    @Test("pending, slow_down, then tokens, once; the typed code may be spelled freely")
    func happyPath() async throws {
        let house = try await OAuthHouse()
        let (device, user) = try await begin(house)
        #expect(try house.error(try await poll(house, device)) == "authorization_pending")
        house.clock.advance(by: .seconds(1))
        #expect(try house.error(try await poll(house, device)) == "slow_down")
        let signedIn = try await house.signIn().signedIn
        let typed = " \(user.lowercased().replacing("-", with: " ")) "
        let consent = try (try await decide(house, typed, as: signedIn)).get()
        #expect(consent.client.clientID == "shop")
        house.clock.advance(by: .seconds(60))
        let tokens = try house.json(try await poll(house, device))
        let claims = try house.claims(of: tokens["id_token"]?.string)
        #expect(claims["sub"]?.string == house.anna.id.description)
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try await house.refresh(refresh).status == .ok)
        house.clock.advance(by: .seconds(60))
        #expect(try house.error(try await poll(house, device)) == "invalid_grant")
    }

    @Test("of concurrent polls exactly one gets the tokens")
    func concurrentPolls() async throws {
        let house = try await OAuthHouse()
        let (device, user) = try await begin(house)
        _ = try await decide(house, user, as: try await house.signIn().signedIn)
        let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { try await poll(house, device).status == .ok }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
    }

    @Test("denied: access_denied, and no second decision")
    func denied() async throws {
        let house = try await OAuthHouse()
        let (device, user) = try await begin(house)
        let signedIn = try await house.signIn().signedIn
        _ = try await decide(house, user, allow: false, as: signedIn)
        #expect(try house.error(try await poll(house, device)) == "access_denied")
        guard case .failure = try await decide(house, user, as: signedIn) else {
            Issue.record("decided twice")
            return
        }
    }

    @Test("too late: expired_token for the device, unknown for the person")
    func expired() async throws {
        let house = try await OAuthHouse()
        let (device, user) = try await begin(house)
        house.clock.advance(by: .seconds(601))
        #expect(try house.error(try await poll(house, device)) == "expired_token")
        guard
            case .failure(let refusal) = try await decide(
                house, user, as: try await house.signIn().signedIn)
        else {
            Issue.record("decided too late")
            return
        }
        #expect(refusal.code == "unknown_code")
    }

    @Test("Attack 59: a device code is unknown to another client, and still valid for its own")
    func foreignClient() async throws {
        let house = try await OAuthHouse()
        let (device, user) = try await begin(house)
        _ = try await decide(house, user, as: try await house.signIn().signedIn)
        #expect(try house.error(try await poll(house, device, by: "wiki")) == "invalid_grant")
        #expect(try await poll(house, device).status == .ok)
    }

    @Test("Attack 59: the consent page is told who asks for what, without deciding")
    func lookup() async throws {
        let house = try await OAuthHouse()
        let (device, user) = try await begin(house)
        let flows = EndpointFlows(house.provider, translations: try WebResources().translations)
        let request = ServerRequest(
            method: .get, path: "/device", tenant: house.tenant, facts: house.facts)
        let ask = try (try await flows.look(user, request) as Result<DeviceCodePrompt, Refusal>)
            .get()
        #expect(ask.client.name == "The shop")
        #expect(ask.scopes == ["openid", "offline_access"])
        #expect(ask.code == user)
        #expect(try house.error(try await poll(house, device)) == "authorization_pending")
    }

    @Test("the consent page is told what the device calls itself, and nothing that steers it")
    func selfDescription() async throws {
        let house = try await OAuthHouse()
        let flows = EndpointFlows(house.provider, translations: try WebResources().translations)
        let request = ServerRequest(
            method: .get, path: "/device", tenant: house.tenant, facts: house.facts)
        func shown(_ members: [String: String]) async throws -> String {
            let form = members.merging(["scope": "openid"]) { $1 }
            let answer = try house.json(
                try await house.post(
                    "/device_authorization", form, headers: OAuthHouse.basic("shop")))
            let user = try #require(answer["user_code"]?.string)
            let ask = try (try await flows.look(user, request) as Result<DeviceCodePrompt, Refusal>)
                .get()
            return ask.device
        }
        #expect(try await shown([:]) == "")
        let both = try await shown(["device_name": "laptop-7", "device_model": "ThinkPad X1"])
        #expect(both == "laptop-7, ThinkPad X1")
        let odd = try await shown([
            "device_name": "\u{202E}a\u{1B}b\n\n  c\u{2028}d",
            "device_model": String(repeating: "x", count: 500),
        ])
        #expect(odd == "ab c d, " + String(repeating: "x", count: 64))
        #expect(try await shown(["device_name": " \u{200B}\u{E000} "]) == "")
    }

    @Test(
        "Attack 68: 50 people behind one address link their devices; codes that are right are no guesses"
    )
    func crowd() async throws {
        let house = try await OAuthHouse()
        let signedIn = try await house.signIn().signedIn
        for _ in 0..<50 {
            let (_, user) = try await begin(house)
            _ = try await decide(house, user, as: signedIn).get()
        }
    }

    @Test("Attack 59, 36: guesses of user codes are limited per person")
    func guesses() async throws {
        let house = try await OAuthHouse()
        let (_, user) = try await begin(house)
        let signedIn = try await house.signIn().signedIn
        for _ in 0..<DeviceAuthorizationEndpoint.guesses {
            guard case .failure(let refusal) = try await decide(house, "BBBB-BBBB", as: signedIn)
            else { continue }
            #expect(refusal.code == "unknown_code")
        }
        guard case .failure(let refusal) = try await decide(house, user, as: signedIn) else {
            Issue.record("the limit does not hold")
            return
        }
        #expect(refusal.code == "too_many_attempts")
        #expect((refusal.retryAfter ?? 0) > 0)
        house.clock.advance(by: .minutes(10))
    }

    @Test("Attack 59, 36: concurrent guesses of user codes are limited to the attempt limit")
    func guessesAtOnce() async throws {
        let house = try await OAuthHouse()
        let (_, user) = try await begin(house)
        let signedIn = try await house.signIn().signedIn
        let codes = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    guard
                        case .failure(let refusal) = try await decide(
                            house, "BBBB-BBBB", as: signedIn)
                    else { return nil }
                    return refusal.code
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == "unknown_code" } == DeviceAuthorizationEndpoint.guesses)
        #expect(codes.count { $0 == "too_many_attempts" } == 30)
        guard case .failure(let refusal) = try await decide(house, user, as: signedIn) else {
            Issue.record("the limit does not hold")
            return
        }
        #expect(refusal.code == "too_many_attempts")
    }

    @Test("Attack 37: a person disabled after their yes gets no tokens on the device")
    func disabledPerson() async throws {
        let house = try await OAuthHouse()
        let (device, user) = try await begin(house)
        _ = try await decide(house, user, as: try await house.signIn().signedIn)
        var anna = house.anna
        anna.disabled = true
        #expect(try await house.provider.store.people.update(anna, now: house.clock.now))
        #expect(try house.error(try await poll(house, device)) == "access_denied")
    }

    @Test(
        "Attack 72: a device of a client that is not for the person is told so, and the trail why")
    func notForThem() async throws {
        let house = try await OAuthHouse()
        let (device, user) = try await begin(house)
        let signedIn = try await house.signIn().signedIn
        try await house.change(client: "shop") { $0.metadata.access = #""nobody""# }
        guard case .failure(let refusal) = try await decide(house, user, as: signedIn) else {
            Issue.record("allowed")
            return
        }
        #expect(refusal.code == "client_access" && !refusal.canStepUp)
        #expect(try house.error(try await poll(house, device)) == "access_denied")
        let event = try #require(try await decisions(house).first)
        #expect(event.code == "client_access" && event.clientID == "shop")
        #expect(event.person == house.anna.id)
        #expect(event.details.contains("the client is closed to all people"))
    }

    @Test("Attack 72: required_acr waits for the key of who has one, and refuses who has none")
    func stepUp() async throws {
        let house = try await OAuthHouse()
        try await house.change(client: "shop") { $0.metadata.requiredContextClass = "phr" }
        let (first, code) = try await begin(house)
        let weak = try await house.signIn().signedIn
        guard case .failure(let final) = try await decide(house, code, as: weak) else {
            Issue.record("allowed")
            return
        }
        #expect(final.code == "unmet_authentication_requirements" && !final.canStepUp)
        #expect(try house.error(try await poll(house, first)) == "access_denied")
        let key = try await house.addKey()
        let (second, other) = try await begin(house)
        guard case .failure(let waits) = try await decide(house, other, as: weak) else {
            Issue.record("allowed")
            return
        }
        #expect(waits.canStepUp)
        #expect(try house.error(try await poll(house, second)) == "authorization_pending")
        let strong = try await house.signIn(methods: ["hwk", "user", "mfa"], with: key).signedIn
        _ = try await decide(house, other, as: strong).get()
        house.clock.advance(by: .seconds(10))
        #expect(try await poll(house, second).status == .ok)
        let reasons = try await decisions(house).filter { $0.code != nil }.map(\.details)
        #expect(reasons.allSatisfy { $0.contains("required_acr is not reached") })
    }

    private func decisions(_ house: OAuthHouse) async throws -> [AuditEvent] {
        var filter = AuditFilter()
        filter.action = "device.decided"
        return try await house.provider.store.auditLog.auditEvents(filter, before: nil, limit: 100)
    }

    @Test("a refused beginning is logged with the client that was named")
    func logged() async throws {
        let house = try await OAuthHouse()
        _ = try await house.post("/device_authorization", ["client_id": "ghost"])
        _ = try await house.post(
            "/device_authorization", ["scope": "unknown"], headers: OAuthHouse.basic("shop"))
        let lines = house.log.lines.filter { $0.message == "device authorization request refused" }
        #expect(lines.map { $0.metadata["client_id"] } == ["ghost", "shop"])
        #expect(lines.map { $0.metadata["code"] } == ["invalid_client", "invalid_scope"])
    }

    @Test("a user code of another project is unknown here")
    func otherProject() async throws {
        let house = try await OAuthHouse()
        let other = try await house.addProject("other")
        try await house.addClient("shop", in: other)
        let answer = try house.json(
            try await house.post(
                "/p/other/device_authorization", [:], headers: OAuthHouse.basic("shop")))
        let user = try #require(answer["user_code"]?.string)
        guard
            case .failure = try await decide(
                house, user, as: try await house.signIn().signedIn)
        else {
            Issue.record("decided across projects")
            return
        }
    }

    @Test("unauthenticated clients, clients without the grant and foreign scopes are refused")
    func refusedBeginnings() async throws {
        let house = try await OAuthHouse()
        let stranger = try await house.post("/device_authorization", ["client_id": "nobody"])
        #expect(try house.error(stranger) == "invalid_client")
        let scope = try await house.post(
            "/device_authorization", ["scope": "unknown"], headers: OAuthHouse.basic("shop"))
        #expect(try house.error(scope) == "invalid_scope")
        try await house.change(client: "shop") {
            $0.metadata.grantTypes = ["authorization_code"]
        }
        let grant = try await house.post(
            "/device_authorization", [:], headers: OAuthHouse.basic("shop"))
        #expect(try house.error(grant) == "unauthorized_client")
    }

    @Test("the command's public client starts with its client_id alone")
    func commandLine() async throws {
        let house = try await OAuthHouse()
        let answer = try await house.post(
            "/device_authorization",
            ["client_id": ProviderBootstrap.commandLineClientID, "scope": "openid"])
        #expect(answer.status == .ok)
    }
}
