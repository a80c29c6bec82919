// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderInstallations
import ProviderSupport
import Storage
import Support
import Testing

/// Approvals: a client asks, an installation of the person's answers, the client fetches it once.
@Suite struct ApprovalTests {
    private static let pushURL = "https://push.example/gatehouse"

    private let http = ScriptedHTTP()
    private let house: RegistrationHouse
    private let key: AppKey
    private let userID: String

    init() async throws {
        http.answer { _ throws(OutgoingHTTPError) in OutgoingResponse(status: 204) }
        house = try await RegistrationHouse(http: http)
        try await house.change {
            $0.policy.registration.approvals.enabled = true
            $0.policy.registration.approvals.pushURL = Self.pushURL
        }
        try await house.oauth.addClient("bank") {
            $0.metadata.grantTypes = [TokenRequest.backchannelGrantType, "refresh_token"]
            $0.metadata.scope = "openid offline_access"
        }
        key = try AppKey()
        userID = try await house.registered(key).userID
    }

    // MARK: The two sides

    private func ask(
        _ change: [String: String?] = [:], by client: String = "bank"
    ) async throws -> JSONObject {
        var form = [
            "scope": "openid", "login_hint": userID, "binding_message": "Pay 5 € to Carla",
            "transaction_text": "IBAN DE00\nAmount 5.00",
        ]
        for (name, value) in change { form[name] = value }
        return try house.oauth.json(
            try await house.oauth.post(
                "/bc-authorize", form, headers: OAuthHouse.basic(client)))
    }

    private func asked(_ change: [String: String?] = [:]) async throws -> String {
        try #require(try await ask(change)["auth_req_id"]?.string)
    }

    private func poll(_ id: String, by client: String = "bank") async throws -> JSONObject {
        try house.oauth.json(
            try await house.oauth.post(
                "/token",
                ["grant_type": TokenRequest.backchannelGrantType, "auth_req_id": id],
                headers: OAuthHouse.basic(client)))
    }

    private func token(_ key: AppKey? = nil, of user: String? = nil) async throws -> String {
        let body = try await house.signIn(key ?? self.key, as: user ?? userID)
        return try #require(body["access_token"]?.string)
    }

    @discardableResult
    private func enroll(_ token: String, push: String? = nil) async throws -> JSONObject {
        var body = JSONObject()
        body["push_token"] = push.map(JSONValue.string)
        let answer = try await house.call(
            .put, "/registration/approvals/enrollment", .object(body), token: token)
        #expect(answer.status == 200)
        return answer.body
    }

    private func pending(_ token: String) async throws -> [JSONValue] {
        let answer = try await house.call(.get, "/registration/approvals", token: token)
        #expect(answer.status == 200)
        return try #require(answer.body["items"]?.array)
    }

    /// As the SDK would sign it.
    private func signed(
        _ shown: JSONValue, _ decision: SignedApprovalResponse.Decision = .approved,
        by key: AppKey? = nil,
        of user: String? = nil, typ: String = SignedApprovalResponse.type,
        _ change: (inout SignedApprovalResponse) -> Void = { _ in }
    ) throws -> String {
        var answer = SignedApprovalResponse(
            userID: user ?? userID, audience: OAuthHouse.issuer,
            nonce: shown["nonce"]?.string ?? "", approval: shown["id"]?.string ?? "",
            clientID: shown["client_id"]?.string ?? "", message: shown["message"]?.string ?? "",
            transaction: shown["transaction_text"]?.string ?? "", decision: decision,
            signedAt: house.now)
        change(&answer)
        let jws = try (key ?? self.key).signer.sign(payload: answer.json, typ: typ)
        return String(decoding: jws, as: UTF8.self)
    }

    private func answer(
        _ shown: JSONValue, _ text: String, token: String
    ) async throws -> (status: Int, body: JSONObject, headers: HTTPFields) {
        try await house.call(
            .post, "/registration/approvals/" + (shown["id"]?.string ?? ""),
            ["answer": .string(text)], token: token)
    }

    // MARK: What works

    @Test("What was shown is what was signed, and the client gets it once, under our name")
    func approves() async throws {
        let token = try await token()
        try await enroll(token)
        let id = try await asked()
        #expect(try await poll(id)["error"] == "authorization_pending")
        let shown = try #require(try await pending(token).first)
        #expect(shown["client_name"] == "The bank" && shown["message"] == "Pay 5 € to Carla")
        let text = try signed(shown)
        #expect(try await answer(shown, text, token: token).status == 204)
        #expect(try await pending(token).isEmpty)
        house.oauth.clock.advance(by: .seconds(30))
        let tokens = try await poll(id)
        let claims = try house.oauth.claims(of: tokens["id_token"]?.string)
        #expect(claims["sub"]?.string == userID && claims["amr"] == ["swk"])
        let approval = try #require(claims["approval"])
        #expect(approval["answer"]?.string == text && approval["id"] == shown["id"])
        #expect(
            approval["transaction_hash"]?.string
                == SignedApprovalResponse.hash(of: "IBAN DE00\nAmount 5.00"))
        #expect(approval["key"]?["x"] == key.key.jwk.json["x"])
        #expect(tokens["refresh_token"] == nil)
        house.oauth.clock.advance(by: .seconds(30))
        #expect(try await poll(id)["error"] == "invalid_grant")
        #expect(try await house.events("approval.answered").count == 1)
    }

    @Test("A test request arrives, is marked, grants nothing, and counts like any other")
    func trial() async throws {
        let token = try await token()
        try await enroll(token)
        let store = house.provider.store
        let id = try #require(Identifier<Person>(userID))
        let person = try #require(try await store.people.person(id))
        let bank = try #require(
            try await store.clients.client(clientID: "bank", in: house.oauth.tenant.project.id))
        let tenant = try #require(try await house.provider.tenant(named: "default"))
        let endpoint = BackchannelEndpoint(house.provider)
        for _ in 0..<BackchannelEndpoint.maximumRequests {
            _ = try await endpoint.tryOut(
                person, by: bank, tenant: tenant, facts: house.oauth.facts
            ).get()
        }
        let shown = try #require(try await pending(token).first)
        #expect(shown["message"]?.string == BackchannelEndpoint.trialMessage)
        #expect(try await answer(shown, signed(shown), token: token).status == 204)
        let events = try await house.events("approval.requested")
        #expect(events.allSatisfy { $0.details.contains("\"trial\":\"yes\"") })
        let more = try await endpoint.tryOut(
            person, by: bank, tenant: tenant, facts: house.oauth.facts)
        guard case .failure(let refusal) = more else { Issue.record("was asked"); return }
        #expect(refusal.code == "too_many_attempts")
        #expect(try await ask()["error"] == "too_many_attempts")
    }

    @Test("A no is told to the client, and is as final as a yes")
    func denies() async throws {
        let token = try await token()
        try await enroll(token)
        let id = try await asked()
        let shown = try #require(try await pending(token).first)
        #expect(try await answer(shown, signed(shown, .denied), token: token).status == 204)
        let late = try await answer(shown, signed(shown), token: token)
        #expect(late.status == 409 && late.body["code"] == "approval_handled")
        #expect(try await poll(id)["error"] == "access_denied")
    }

    @Test("A lost answer may be sent again, also after the client has fetched it")
    func again() async throws {
        let token = try await token()
        try await enroll(token)
        let id = try await asked()
        let shown = try #require(try await pending(token).first)
        let text = try signed(shown)
        for _ in 0..<2 { #expect(try await answer(shown, text, token: token).status == 204) }
        #expect(try await poll(id)["id_token"] != nil)
        #expect(try await answer(shown, text, token: token).status == 204)
        #expect(try await house.events("approval.answered").count == 1)
    }

    @Test("With a PIN, yes takes a PIN that was typed since; no takes none")
    func pin() async throws {
        let device = try await AppDevice.registered(in: house)
        func signIn() async throws -> (token: String, user: String) {
            let body = try await device.signIn("24681").body
            let token = try #require(body["access_token"]?.string)
            return (token, try #require(try house.oauth.claims(of: token)["sub"]?.string))
        }
        let (old, user) = try await signIn()
        try await enroll(old)
        house.oauth.clock.advance(by: .seconds(60))
        let id = try await asked(["login_hint": user])
        let shown = try #require(try await pending(old).first)
        let text = try signed(shown, by: device.key, of: user)
        let refused = try await answer(shown, text, token: old)
        #expect(refused.status == 403 && refused.body["code"] == "fresh_sign_in_needed")
        #expect(try await answer(shown, text, token: signIn().token).status == 204)
        let claims = try house.oauth.claims(of: try await poll(id)["id_token"]?.string)
        #expect(claims["amr"] == ["swk", "pin", "mfa"] && claims["acr"] == "phr")
        let other = try await asked(["login_hint": user])
        let second = try #require(try await pending(old).first)
        let no = try signed(second, .denied, by: device.key, of: user)
        #expect(try await answer(second, no, token: old).status == 204)
        #expect(try await poll(other)["error"] == "access_denied")
    }

    @Test("A code is the first installation's that brings it, in any spelling")
    func code() async throws {
        let token = try await token()
        try await enroll(token)
        let made = try await ask(["login_hint": nil, "approval_code": "true"])
        let id = try #require(made["auth_req_id"]?.string)
        let code = try #require(made["approval_code"]?.string)
        #expect(try await pending(token).isEmpty)
        func claim(
            _ code: String, _ token: String
        ) async throws -> (status: Int, body: JSONObject, headers: HTTPFields) {
            try await house.call(
                .post, "/registration/approvals/claim", ["code": .string(code)], token: token)
        }
        let shown = try await claim(code.lowercased(), token)
        #expect(shown.status == 200 && shown.body["message"] == "Pay 5 € to Carla")
        let other = try AppKey()
        let otherUser = try await house.registered(other, subject: "bea-1").userID
        let stranger = try await self.token(other, of: otherUser)
        try await enroll(stranger)
        #expect(try await claim(code, stranger).body["code"] == "unknown_approval")
        let mine = JSONValue.object(shown.body)
        let stolen = try await answer(
            mine, signed(mine, by: other, of: otherUser), token: stranger)
        #expect(stolen.status == 404 && stolen.body["code"] == "unknown_approval")
        #expect(try await answer(mine, signed(mine), token: token).status == 204)
        #expect(
            try house.oauth.claims(of: try await poll(id)["id_token"]?.string)["sub"]?.string
                == userID)
    }

    @Test("Where the app has an address, a client is given what a QR code of the code holds")
    func link() async throws {
        try await enroll(try await token(), push: "device-7")
        let form: [String: String?] = ["login_hint": nil, "approval_code": "true"]
        #expect(try await ask(form)["approval_uri"] == nil)
        try await house.change {
            $0.policy.registration.approvals.appURL = "https://notes.example/approve"
        }
        let made = try await ask(form)
        let code = try #require(made["approval_code"]?.string)
        #expect(
            made["approval_uri"]?.string
                == "https://notes.example/approve?approval_code=\(code)")
        #expect(try await ask()["approval_uri"] == nil)
    }

    @Test("The operator's service receives the installation to notify, signed, without the content")
    func push() async throws {
        try await enroll(try await token(), push: "device-7")
        _ = try await asked()
        let notice = try #require(http.requests.last)
        #expect(notice.address.text == Self.pushURL)
        let body = try JSONParser.parseObject(try #require(notice.body), maximumBytes: 8192)
        #expect(body["user_id"]?.string == userID && body["aud"]?.string == Self.pushURL)
        #expect(body["installations"]?.array?.first?["push_token"] == "device-7")
        #expect(!String(decoding: notice.body ?? [], as: UTF8.self).contains("Carla"))
        let signature = try #require(
            notice.headers.first { $0.name == "gatehouse-signature" }?.value)
        let parts = signature.split(separator: ".", omittingEmptySubsequences: false)
        let jws = "\(parts[0]).\(Base64URL.encode(notice.body ?? [])).\(parts[2])"
        let keys = try await house.provider.keys.publishedKeys(of: house.oauth.tenant)
        let verified = try JWSVerifier(keys: keys, algorithms: [.es256])
            .verify(compact: jws, maximumBytes: 8192)
        #expect(verified.header.isType(WebhookPushSender.type))
    }

    @Test("A push that does not arrive takes nothing from the approval")
    func lostPush() async throws {
        let token = try await token()
        try await enroll(token, push: "device-7")
        for status in [500, 0] {
            http.answer { _ throws(OutgoingHTTPError) in
                guard status > 0 else { throw OutgoingHTTPError(.timedOut, "late") }
                return OutgoingResponse(status: status)
            }
            _ = try await asked()
        }
        #expect(try await pending(token).count == 2)
    }

    @Test("Enrolling is said, replaced and taken back; a token is never shown")
    func enrollment() async throws {
        let token = try await token()
        let path = "/registration/approvals/enrollment"
        let none = try await house.call(.get, path, token: token)
        #expect(none.status == 403 && none.body["code"] == "not_enrolled")
        #expect(try await enroll(token, push: "device-7")["has_push_token"] == true)
        #expect(try await enroll(token)["has_push_token"] == false)
        #expect(try await house.call(.get, path, token: token).status == 200)
        #expect(try await house.call(.delete, path, token: token).status == 204)
        #expect(try await house.call(.delete, path, token: token).status == 204)
        let listed = try await house.call(.get, "/registration/approvals", token: token)
        #expect(listed.body["code"] == "not_enrolled")
        #expect(try await ask()["error"] == "unknown_user_id")
        for wrong: JSONValue in ["", .integer(7), .string(String(repeating: "x", count: 4097))] {
            let refused = try await house.call(.put, path, ["push_token": wrong], token: token)
            #expect(refused.status == 400 && refused.body["code"] == "malformed_input")
        }
    }

    // MARK: Refusals: the client

    @Test("A client that needs consent gets no scope that the person would not see")
    func unseenScope() async throws {
        try await enroll(try await token())
        try await house.oauth.addClient("stranger") {
            $0.metadata.grantTypes = [TokenRequest.backchannelGrantType, "refresh_token"]
            $0.metadata.scope = "openid offline_access"
            $0.metadata.firstParty = false
        }
        let wide = try await ask(["scope": "openid offline_access"], by: "stranger")
        #expect(wide["error"] == "invalid_scope")
        #expect(try await ask(by: "stranger")["auth_req_id"]?.string != nil)
        #expect(try await ask(["scope": "openid offline_access"])["auth_req_id"] != nil)
    }

    @Test("A client without the right, or with an invalid request, causes no approval request")
    func badRequests() async throws {
        try await enroll(try await token())
        let cases: [(change: [String: String?], error: String)] = [
            (["login_hint": "nobody"], "unknown_user_id"),
            (["login_hint": house.oauth.anna.id.description], "unknown_user_id"),
            (["login_hint": nil, "id_token_hint": "a.b.c"], "unknown_user_id"),
            (["login_hint": nil], "invalid_request"),
            (["approval_code": "true"], "invalid_request"),
            (["login_hint": nil, "approval_code": "yes"], "invalid_request"),
            (["login_hint_token": "x"], "invalid_request"),
            (["user_code": "x"], "invalid_request"),
            (["request": "x"], "invalid_request"),
            (["requested_expiry": "0"], "invalid_request"),
            (["requested_expiry": "soon"], "invalid_request"),
            (["scope": nil], "invalid_scope"), (["scope": "offline_access"], "invalid_scope"),
            (["scope": "openid groups"], "invalid_scope"),
            (["binding_message": String(repeating: "x", count: 257)], "invalid_binding_message"),
            (["binding_message": "two\nlines"], "invalid_binding_message"),
            (["binding_message": "right\u{202E}tfel"], "invalid_binding_message"),
            (["transaction_text": "\u{1}"], "invalid_binding_message"),
            // No form may have one.
            (["transaction_text": "\u{0}"], "invalid_request"),
        ]
        for (change, error) in cases {
            #expect(try await ask(change)["error"]?.string == error, "\(change)")
        }
        #expect(try await ask(by: "shop")["error"] == "unauthorized_client")
        let noSecret = try house.oauth.json(
            try await house.oauth.post(
                "/bc-authorize",
                ["client_id": "app", "scope": "openid", "login_hint": userID]))
        #expect(noSecret["error"] == "unauthorized_client")
        try await house.change { $0.policy.registration.approvals.enabled = false }
        #expect(try await ask()["error"] == "access_denied")
        #expect(try await house.events("approval.requested").allSatisfy { $0.code != nil })
    }

    @Test("The number of approval requests is limited, and each one expires")
    func limits() async throws {
        let token = try await token()
        try await enroll(token)
        for _ in 0..<BackchannelEndpoint.maximumRequests { _ = try await asked() }
        #expect(try await ask()["error"] == "too_many_attempts")
        house.oauth.clock.advance(by: .minutes(11))
        let made = try await ask(["requested_expiry": "40"])
        #expect(made["expires_in"] == 40 && made["interval"] == 5)
        let shown = try #require(try await pending(self.token()).first)
        house.oauth.clock.advance(by: .seconds(41))
        let fresh = try await self.token()
        let late = try await answer(shown, signed(shown), token: fresh)
        #expect(late.status == 404 && late.body["code"] == "unknown_approval")
        let id = try #require(made["auth_req_id"]?.string)
        #expect(try await poll(id)["error"] == "expired_token")
        #expect(try await ask(["requested_expiry": "999999"])["expires_in"] == 3600)
    }

    @Test("What one client has asked, no other fetches; a poll too early slows down")
    func polls() async throws {
        try await house.oauth.addClient("broker") {
            $0.metadata.grantTypes = [TokenRequest.backchannelGrantType]
        }
        try await enroll(try await token())
        let id = try await asked()
        #expect(try await poll(id, by: "broker")["error"] == "invalid_grant")
        #expect(try await poll(id, by: "shop")["error"] == "unauthorized_client")
        #expect(try await poll("made-up")["error"] == "invalid_grant")
        #expect(try await poll(id)["error"] == "authorization_pending")
        #expect(try await poll(id)["error"] == "slow_down")
    }

    // MARK: Refusals: the installation

    @Test("An answer that anything is wrong with answers nothing")
    func forgeries() async throws {
        let token = try await token()
        try await enroll(token)
        _ = try await asked()
        _ = try await asked(["binding_message": "Pay 50 € to Carla"])
        let items = try await pending(token)
        // Both have the same time, so their order is not determined.
        let shown = try #require(items.first { $0["message"] == "Pay 5 € to Carla" })
        let other = try #require(items.first { $0["id"] != shown["id"] })
        let stranger = try AppKey()
        let forged = [
            try signed(shown, by: stranger), try signed(shown, typ: "JWT"), try signed(other),
            try signed(shown) { $0.message = "Pay 50 € to Carla" },
            try signed(shown) {
                $0.transactionHash = SignedApprovalResponse.hash(of: "Amount 1.00")
            },
            try signed(shown) { $0.clientID = "shop" },
            try signed(shown) { $0.audience = "https://other.example" },
            try signed(shown) { $0.nonce = Base64URL.encode([UInt8](repeating: 0, count: 32)) },
            try signed(shown) { $0.userID = house.oauth.anna.id.description },
            "a.b.c", "", String(repeating: "x", count: 9000),
        ]
        for text in forged {
            let refused = try await answer(shown, text, token: token)
            #expect(refused.status == 403 && refused.body["code"] == "approval_refused")
        }
        #expect(try await pending(token).count == 2)
        let missing = try await house.call(
            .post, "/registration/approvals/x", JSONValue.object(JSONObject()), token: token)
        #expect(missing.body["code"] == "missing_input")
        let unknown = try await house.call(
            .post, "/registration/approvals/x", ["answer": "x"], token: token)
        #expect(unknown.status == 404)
        #expect(try await house.call(.get, "/registration/approvals").status == 401)
    }

    @Test("Guesses at codes are counted, and what is claimed is not claimed by guessing on")
    func guesses() async throws {
        let token = try await token()
        try await enroll(token)
        var codes: [String] = []
        for _ in 0..<40 {
            let answer = try await house.call(
                .post, "/registration/approvals/claim", ["code": "BCDF-GHJK"], token: token)
            codes.append(answer.body["code"]?.string ?? "claimed")
            if answer.status == 429 { break }
        }
        #expect(codes.first == "unknown_approval" && codes.last == "too_many_attempts")
    }

    @Test("In a project without approvals, enrollment is refused")
    func off() async throws {
        let token = try await token()
        try await house.change { $0.policy.registration.approvals.enabled = false }
        let refused = try await house.call(
            .put, "/registration/approvals/enrollment", .object(JSONObject()), token: token)
        #expect(refused.status == 400 && refused.body["code"] == "approvals_not_offered")
    }

    @Test(
        "Attack 33, 37: a person disabled after the approval: the client gets nothing"
    )
    func gone() async throws {
        let token = try await token()
        try await enroll(token)
        let id = try await asked()
        let shown = try #require(try await pending(token).first)
        #expect(try await answer(shown, signed(shown), token: token).status == 204)
        let person = try #require(Identifier<Person>(userID))
        var disabled = try #require(try await house.provider.store.people.person(person))
        disabled.disabled = true
        _ = try await house.provider.store.people.update(disabled, now: house.oauth.clock.now)
        #expect(try await poll(id)["error"] == "access_denied")
        #expect(try await ask()["error"] == "unknown_user_id")
    }
}
