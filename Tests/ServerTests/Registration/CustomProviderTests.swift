// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderSupport
import Storage
import Support
import Testing

/// Registering by an identity provider of the operator's own.
@Suite struct CustomProviderTests {
    private static let address = "https://people.example/gatehouse"

    private let http = ScriptedHTTP()
    private let house: RegistrationHouse

    init() async throws {
        house = try await RegistrationHouse(http: http)
        try await house.change { project in
            var one = CustomProviderSettings()
            one.id = "badge"
            one.name = "Badge reader"
            one.url = Self.address
            one.attributes = ["department"]
            var two = one
            two.id = "letter"
            two.twoStep = true
            two.expiresIn = 600
            project.policy.registration.identityProviders = [one, two]
            project.policy.registration.methods = [
                "signedJWT", "customOneStep", "customTwoStep",
            ]
        }
    }

    private func service(_ body: String, status: Int = 200) {
        http.answer { _ throws(OutgoingHTTPError) in
            OutgoingResponse(status: status, body: Array(body.utf8))
        }
    }

    private let anna = #"""
        {"status":2000,"data":"welcome","user":{"sub":"anna-7","username":"anna",
        "attributes":{"department":"staff","salary":1}}}
        """#

    private func request(
        _ evidence: JSONValue = ["identity_provider": "badge", "data": "1234"],
        _ method: AppRegistrationMethod = .customOneStep, key: AppKey? = nil,
        id: Identifier<AppRegistrationRequest>? = nil
    ) async throws -> AppRegistrationRequest {
        var request = try await house.request(
            method, token: "", key: try key ?? AppKey(), id: id)
        request.evidence = try #require(evidence.object)
        return request
    }

    private func start(
        _ id: Identifier<AppRegistrationRequest>, _ provider: String = "letter"
    ) async throws -> (status: Int, body: JSONObject, headers: HTTPFields) {
        try await house.call(
            .post, "/registration/start",
            [
                "identity_provider": .string(provider),
                "registration_id": .string(id.description), "data": "anna",
            ])
    }

    // MARK: One step

    @Test(
        "The service identifies the person; agreed attributes are stored, and its message reaches the app"
    )
    func oneStep() async throws {
        service(anna)
        let answer = try await house.send(try await request())
        #expect(answer.status == 201)
        #expect(answer.body["provider_status"] == 2000 && answer.body["data"] == "welcome")
        let user = try #require(AppRegistrationResponse(answer.body))
        #expect(user.username == "anna")
        let id = try #require(Identifier<Person>(user.userID))
        let person = try #require(try await house.provider.store.people.person(id))
        #expect(person.attributes == #"{"department":"staff"}"#)
        #expect(person.realm == "urn:gatehouse:identity-provider:badge")
        #expect(person.origin == "customOneStep")
    }

    @Test(
        "The request is signed by the project, for this URL, for a minute, and contains only this")
    func signed() async throws {
        service(anna)
        let request = try await request()
        _ = try await house.send(request)
        let question = try #require(http.requests.first)
        #expect(question.method == "POST" && question.address.text == Self.address)
        let body = try #require(question.body)
        let signature = try #require(
            question.headers.first { $0.name == "gatehouse-signature" }?.value)
        let parts = signature.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 3 && parts[1].isEmpty)
        let whole = "\(parts[0]).\(Base64URL.encode(body)).\(parts[2])"
        let keys = try await house.provider.keys.publishedKeys(of: house.oauth.tenant)
        let verified = try JWSVerifier(keys: keys, algorithms: [.es256]).verify(compact: whole)
        #expect(verified.header.type == "gatehouse-identity-provider")
        let claims = try JSONParser.parseObject(verified.payload, maximumBytes: 65_536)
        #expect(claims["iss"]?.string == OAuthHouse.issuer)
        #expect(claims["aud"]?.string == Self.address)
        #expect(claims["exp"]?.integer == house.now + 60)
        #expect(claims["step"] == "complete" && claims["identity_provider"] == "badge")
        #expect(claims["registration_id"]?.string == request.registrationID.description)
        #expect(claims["data"] == "1234")
        #expect(
            Set(claims.names).isSubset(of: [
                "iss", "aud", "jti", "iat", "exp", "step", "identity_provider", "registration_id",
                "data",
            ]))
        // A changed token is refused.
        let changed = "\(parts[0]).\(Base64URL.encode(body + [0x20])).\(parts[2])"
        #expect(throws: (any Error).self) {
            try JWSVerifier(keys: keys, algorithms: [.es256]).verify(compact: changed)
        }
    }

    @Test("Try again: nothing is consumed, and the same registration may be sent again")
    func retry() async throws {
        service(#"{"status":4711,"data":"wrong badge"}"#)
        let request = try await request()
        let refused = try await house.send(request)
        #expect(refused.status == 403 && refused.body["code"] == "try_again")
        #expect(refused.body["status"] == 403)
        #expect(refused.body["provider_status"] == 4711)
        #expect(refused.body["data"] == "wrong badge")
        service(anna)
        #expect(try await house.outcome(request) == "registered")
    }

    @Test("Loops are bounded: a registration may ask as often as the project says")
    func bounded() async throws {
        service(#"{"status":4000}"#)
        let request = try await request()
        for _ in 0..<5 { #expect(try await house.outcome(request) == "try_again") }
        let answer = try await house.send(request)
        #expect(answer.status == 429 && answer.body["code"] == "too_many_attempts")
        #expect(answer.headers[.retryAfter] != nil)
        #expect(http.requests.count == 5)
    }

    @Test("A refusal for good is passed on")
    func unrecoverable() async throws {
        service(#"{"status":5001,"data":"unknown person"}"#)
        let answer = try await house.send(try await request())
        #expect(answer.status == 403 && answer.body["code"] == "identity_provider_refused")
        #expect(answer.body["provider_status"] == 5001)
    }

    @Test(
        "An invalid response of the protocol registers no person",
        arguments: [
            "", "[]", "{}", #"{"status":"2000"}"#, #"{"status":1999}"#, #"{"status":3000}"#,
            #"{"status":6000}"#, #"{"status":99999999999999999999}"#, #"{"status":2000}"#,
            #"{"status":2000,"user":{}}"#, #"{"status":2000,"user":{"sub":""}}"#,
            #"{"status":2000,"user":{"sub":"a\u0000"}}"#, #"{"status":2000,"user":"anna"}"#,
            #"{"status":2000,"user":{"sub":"a"},"data":7}"#,
            #"{"status":2000,"user":{"sub":"a"},"state":7}"#,
            #"{"status":2000,"user":{"sub":"a","username":7}}"#,
            #"{"status":2000,"user":{"sub":"a","attributes":["staff"]}}"#,
        ])
    func nonsense(body: String) async throws {
        service(body)
        let answer = try await house.send(try await request())
        #expect(answer.status == 503)
        #expect(answer.body["code"] == "identity_provider_unavailable")
    }

    @Test(
        "No attributes have many spellings; PHP writes a map without members as a list",
        arguments: ["", #","attributes":null"#, #","attributes":{}"#, #","attributes":[]"#])
    func noAttributes(member: String) async throws {
        service(#"{"status":2000,"user":{"sub":"anna-7","username":"anna""# + member + "}}")
        let answer = try await house.send(try await request())
        #expect(answer.status == 201)
        let id = try #require(Identifier<Person>(answer.body["user_id"]?.string ?? ""))
        #expect(try await house.provider.store.people.person(id)?.username == "anna")
    }

    @Test("Redirects, errors, silence and flooding are no answer", arguments: [301, 302, 404, 500])
    func unavailable(status: Int) async throws {
        service(anna, status: status)
        #expect(try await house.outcome(request()) == "identity_provider_unavailable")
        for code in [OutgoingHTTPError.Code.unreachable, .timedOut, .tooLong] {
            http.answer { _ throws(OutgoingHTTPError) in throw OutgoingHTTPError(code, "") }
            #expect(try await house.outcome(request()) == "identity_provider_unavailable")
        }
        #expect(http.requests.allSatisfy { $0.maximumResponseLength == 32_768 && $0.seconds == 10 })
    }

    @Test(
        "The project's settings decide which service is used",
        arguments: [
            (["data": "x"], 400, "missing_input"),
            (["identity_provider": "https://evil.example"], 404, "unknown_identity_provider"),
            (["identity_provider": "BADGE"], 404, "unknown_identity_provider"),
            (["identity_provider": "letter"], 404, "unknown_identity_provider"),
            (["identity_provider": "badge", "data": 7], 400, "malformed_input"),
        ] as [(JSONValue, Int, String)])
    func names(evidence: JSONValue, status: Int, code: String) async throws {
        service(anna)
        let answer = try await house.send(try await request(evidence))
        #expect(answer.status == status && answer.body["code"]?.string == code)
        #expect(http.requests.isEmpty)
    }

    @Test("One that is switched off is neither listed nor asked")
    func switchedOff() async throws {
        let listed = try await house.call(.get, "/registration/identity-providers")
        #expect(listed.body["items"]?.array?.count == 2)
        try await house.change { $0.policy.registration.identityProviders[0].enabled = false }
        let rest = try await house.call(.get, "/registration/identity-providers")
        #expect(rest.body["items"]?.array?.compactMap { $0["id"]?.string } == ["letter"])
        #expect(try await house.outcome(request()) == "unknown_identity_provider")
        #expect(http.requests.isEmpty)
    }

    @Test("A lost response is repeated without another request")
    func lostAnswer() async throws {
        service(anna)
        let key = try AppKey()
        let first = try await request(key: key)
        let answer = try await house.send(first)
        service(#"{"status":5000}"#)
        let again = try await house.send(
            try await request(key: key, id: first.registrationID))
        #expect(answer.status == 201 && again.status == 200)
        #expect(AppRegistrationResponse(answer.body) != nil)
        for name in [
            "method", "registration_id", "user_id", "username", "installation_id", "key_id",
            "registered_at",
        ] {
            #expect(again.body[name] == answer.body[name] && again.body[name] != nil, "\(name)")
        }
        #expect(http.requests.count == 1)
        // With another key it is another registration, which requires a new request.
        #expect(
            try await house.outcome(request(id: first.registrationID))
                == "identity_provider_refused")
        service(anna)
        #expect(
            try await house.outcome(request(id: first.registrationID)) == "registration_id_taken")
    }

    // MARK: Two steps

    @Test("Two steps: data go both ways, and what the service remembers comes back to it alone")
    func twoSteps() async throws {
        let id = house.newID()
        service(#"{"status":2100,"data":"a letter is on its way","state":"code=9137"}"#)
        let started = try await start(id)
        #expect(started.status == 200 && started.body["provider_status"] == 2100)
        #expect(started.body["data"] == "a letter is on its way")
        #expect(started.body["expires_in"] == 600)
        let transaction = try #require(started.body["transaction"])
        #expect(!JSONValue.object(started.body).text.contains("9137"))
        service(anna)
        let request = try await request(
            ["transaction": transaction, "data": "9137"], .customTwoStep, id: id)
        #expect(try await house.outcome(request) == "registered")
        let questions = try http.requests.map {
            try JSONParser.parseObject($0.body ?? [], maximumBytes: 65_536)
        }
        #expect(questions.map { $0["step"] } == ["start", "complete"])
        #expect(questions[0]["data"] == "anna" && questions[0]["state"] == nil)
        #expect(questions[1]["data"] == "9137" && questions[1]["state"] == "code=9137")
        #expect(questions[0]["registration_id"] == questions[1]["registration_id"])
        #expect(questions[0]["jti"] != questions[1]["jti"])
    }

    @Test("A service that remembers more at a retry gets that back the next time")
    func renewedState() async throws {
        let id = house.newID()
        service(#"{"status":2000,"state":"one"}"#)
        let transaction = try #require(try await start(id).body["transaction"])
        service(#"{"status":4001,"state":"two"}"#)
        let refused = try await house.send(
            try await request(["transaction": transaction], .customTwoStep, id: id))
        let next = try #require(refused.body["transaction"])
        service(anna)
        _ = try await house.send(
            try await request(["transaction": next], .customTwoStep, id: id))
        let last = try JSONParser.parseObject(
            try #require(http.requests.last?.body), maximumBytes: 65_536)
        #expect(last["state"] == "two")
    }

    @Test(
        "A service's state is returned unchanged, however its characters are written in JSON",
        arguments: ["\"", "\\", "\u{1}", "é", "🔑", "a"])
    func longestState(letter: String) async throws {
        let id = house.newID()
        let state = String(repeating: letter, count: 4096 / letter.utf8.count)
        let said: JSONValue = ["status": 2000, "state": .string(state)]
        service(said.text)
        let transaction = try #require(try await start(id).body["transaction"])
        service(anna)
        let request = try await request(
            ["transaction": transaction], .customTwoStep, id: id)
        #expect(try await house.outcome(request) == "registered")
        let last = try JSONParser.parseObject(
            try #require(http.requests.last?.body), maximumBytes: 65_536)
        #expect(last["state"]?.string == state)
    }

    @Test("A transaction is of one registration and project, and ends")
    func transactions() async throws {
        let id = house.newID()
        service(#"{"status":2000}"#)
        let transaction = try #require(try await start(id).body["transaction"]?.string)
        service(anna)
        func outcome(
            _ text: String?, _ id: Identifier<AppRegistrationRequest>
        ) async throws -> String {
            let evidence = JSONObject(
                text.map { [.init(name: "transaction", value: .string($0))] } ?? [])
            return try await house.outcome(
                request(.object(evidence), .customTwoStep, id: id))
        }
        #expect(try await outcome(nil, id) == "missing_input")
        #expect(try await outcome("x", id) == "transaction_refused")
        #expect(try await outcome(transaction, house.newID()) == "transaction_refused")
        var forged = Array(transaction)
        forged[40] = forged[40] == "A" ? "B" : "A"
        #expect(try await outcome(String(forged), id) == "transaction_refused")
        let asked = http.requests.count
        house.oauth.clock.advance(by: .seconds(600))
        #expect(try await outcome(transaction, id) == "transaction_expired")
        #expect(http.requests.count == asked)
    }

    @Test("The number of guesses of one code is the project's limit")
    func twoStepBounded() async throws {
        let id = house.newID()
        service(#"{"status":2000}"#)
        let transaction = try #require(try await start(id).body["transaction"])
        service(#"{"status":4000}"#)
        var outcomes: [String] = []
        for _ in 0..<6 {
            outcomes.append(
                try await house.outcome(
                    request(["transaction": transaction], .customTwoStep, id: id)))
        }
        #expect(outcomes.count { $0 == "try_again" } == 4)
        #expect(outcomes.last == "too_many_attempts")
    }

    @Test(
        "An incomplete or forbidden start causes no request",
        arguments: [
            (["identity_provider": "letter"], "missing_input"),
            (["registration_id": "019a0000-0000-7000-8000-000000000000"], "missing_input"),
            (["identity_provider": "letter", "registration_id": "1"], "malformed_input"),
            (
                [
                    "identity_provider": "badge",
                    "registration_id": "019a0000-0000-7000-8000-000000000000",
                ], "unknown_identity_provider"
            ),
        ] as [(JSONValue, String)])
    func starts(body: JSONValue, code: String) async throws {
        let answer = try await house.call(.post, "/registration/start", body)
        #expect(answer.body["code"]?.string == code)
        try await house.change { $0.policy.registration.methods = ["signedJWT"] }
        let off = try await start(house.newID())
        #expect(off.body["code"] == "method_not_supported")
        #expect(http.requests.isEmpty)
    }

    private func cancel(_ body: JSONValue) async throws -> (status: Int, code: String?) {
        let answer = try await house.call(.post, "/registration/cancel", body)
        return (answer.status, answer.body["code"]?.string)
    }

    @Test("Giving up between the steps is told to the service, with what it remembers")
    func cancels() async throws {
        service(#"{"status":2000,"state":"code=9137"}"#)
        let transaction = try #require(try await start(house.newID()).body["transaction"])
        #expect(try await cancel(["transaction": transaction]).status == 204)
        let question = try JSONParser.parseObject(
            try #require(http.requests.last?.body), maximumBytes: 65_536)
        #expect(question["step"] == "cancel" && question["state"] == "code=9137")
        #expect(question["data"] == nil)
        http.answer { _ throws(OutgoingHTTPError) in throw OutgoingHTTPError(.timedOut, "") }
        let unheard = try await cancel(["transaction": transaction])
        #expect(unheard.status == 503 && unheard.code == "identity_provider_unavailable")
    }

    @Test(
        "Only an active transaction of this project can be aborted, with the limit of its requests")
    func cancelRefused() async throws {
        service(#"{"status":2000}"#)
        let transaction = try #require(try await start(house.newID()).body["transaction"])
        let asked = http.requests.count
        #expect(try await cancel([:]).code == "missing_input")
        #expect(try await cancel(["transaction": "x"]).code == "transaction_refused")
        #expect(http.requests.count == asked)
        var outcomes: [Int] = []
        for _ in 0..<6 { outcomes.append(try await cancel(["transaction": transaction]).status) }
        #expect(outcomes.count { $0 == 204 } == 4 && outcomes.last == 429)
        house.oauth.clock.advance(by: .seconds(600))
        #expect(try await cancel(["transaction": transaction]).code == "transaction_expired")
    }

    @Test("A start that the service refuses leads nowhere")
    func startRefused() async throws {
        service(#"{"status":5000,"data":"no"}"#)
        let answer = try await start(house.newID())
        #expect(answer.status == 403 && answer.body["code"] == "identity_provider_refused")
        #expect(answer.body["transaction"] == nil)
    }
}
