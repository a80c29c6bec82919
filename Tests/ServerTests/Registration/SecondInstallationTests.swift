// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import OAuth
import PIN
import Primitives
import ProviderCore
import ProviderSupport
import Storage
import StorageSQL
import Support
import Synchronization
import Testing

/// A second registration of an existing person, on another device or on the same.
@Suite struct SecondInstallationTests {
    private let http = ScriptedHTTP()
    private let house: RegistrationHouse

    init() async throws {
        house = try await RegistrationHouse(http: http)
        http.answer { _ throws(OutgoingHTTPError) in
            OutgoingResponse(
                status: 200, body: Array(#"{"status":2000,"user":{"sub":"anna-7"}}"#.utf8))
        }
        try await house.change { project in
            var service = CustomProviderSettings()
            service.id = "badge"
            service.url = "https://people.example/"
            project.policy.registration.identityProviders = [service]
            project.policy.registration.methods = ["signedJWT", "customOneStep", "oidc"]
        }
    }

    private func custom(_ key: AppKey) async throws -> AppRegistrationRequest {
        var request = try await house.request(.customOneStep, token: "", key: key)
        request.evidence = JSONObject([.init(name: "identity_provider", value: "badge")])
        return request
    }

    private func registered(
        _ request: AppRegistrationRequest
    ) async throws -> AppRegistrationResponse {
        try #require(AppRegistrationResponse(try await house.send(request).body))
    }

    @Test("Another device, the same person: one more installation, and both sign in")
    func otherDevice() async throws {
        let (one, two) = (try AppKey(), try AppKey())
        let first = try await registered(custom(one))
        let second = try await registered(custom(two))
        #expect(first.userID == second.userID && first.installationID != second.installationID)
        for key in [one, two] {
            #expect(try await house.signIn(key, as: first.userID)["access_token"] != nil)
        }
        let person = try #require(Identifier<Person>(first.userID))
        #expect(try await house.provider.store.installations.installations(of: person).count == 2)
        let credentials = try await house.provider.store.credentials.credentials(of: person)
        #expect(credentials.count { $0.kind == .federatedIdentity } == 1)
    }

    @Test("Two devices with the same key id: the signature decides which one signs in")
    func sameKeyID() async throws {
        func named() throws -> AppKey {
            try AppKey(
                PrivateJWK.generate(for: .es256).with(KeyParameters(keyID: "app-key")), .es256)
        }
        let keys = [try named(), try named(), try named()]
        let answers = [
            try await registered(custom(keys[0])), try await registered(custom(keys[1])),
        ]
        #expect(answers.map(\.keyID) == ["app-key", "app-key"])
        var tokens: [String] = []
        for (key, answer) in zip(keys, answers) {
            let signedIn = try await house.signIn(key, as: answer.userID)
            tokens.append(try #require(signedIn["access_token"]?.string))
        }
        // A third key with the same name and without a person cannot sign in.
        let stranger = try await house.signIn(keys[2], as: answers[0].userID)
        #expect(stranger["error"]?.string == "invalid_grant")
        // What the first was given is the first's: it removes itself, and the other stays.
        let left = try await house.call(
            .delete, "/registration/installations/current", token: tokens[0])
        #expect(left.status == 204)
        let person = try #require(Identifier<Person>(answers[0].userID))
        #expect(
            try await house.provider.store.installations.installations(of: person).map(
                \.id.description)
                == [answers[1].installationID])
        #expect(try await house.signIn(keys[0], as: answers[0].userID)["access_token"] == nil)
        #expect(try await house.signIn(keys[1], as: answers[1].userID)["access_token"] != nil)
    }

    @Test("The same device with the same key: the installation that it has, with 200")
    func sameDevice() async throws {
        let key = try AppKey()
        let first = try await registered(custom(key))
        let answer = try await house.send(try await custom(key))
        #expect(answer.status == 200)
        #expect(AppRegistrationResponse(answer.body)?.installationID == first.installationID)
        let person = try #require(Identifier<Person>(first.userID))
        #expect(try await house.provider.store.installations.installations(of: person).count == 1)
    }

    @Test("Another person's key stays theirs")
    func foreignKey() async throws {
        let key = try AppKey()
        _ = try await registered(custom(key))
        http.answer { _ throws(OutgoingHTTPError) in
            OutgoingResponse(
                status: 200, body: Array(#"{"status":2000,"user":{"sub":"bea-8"}}"#.utf8))
        }
        #expect(try await house.outcome(custom(key)) == "key_taken")
        let bea = try await registered(custom(AppKey()))
        #expect(try await house.outcome(custom(key)) == "key_taken")
        #expect(bea.username == "bea-8")
    }

    @Test("Attack 2: of many concurrent registrations of a person one creates the person")
    func race() async throws {
        var requests: [AppRegistrationRequest] = []
        for _ in 0..<8 { requests.append(try await custom(AppKey())) }
        let answers = try await withThrowingTaskGroup(of: AppRegistrationResponse.self) { group in
            for request in requests { group.addTask { try await registered(request) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers.map(\.userID)).count == 1)
        #expect(Set(answers.map(\.installationID)).count == 8)
    }

    @Test("A disabled person gets no further installation")
    func disabled() async throws {
        let first = try await registered(custom(AppKey()))
        let id = try #require(Identifier<Person>(first.userID))
        var person = try #require(try await house.provider.store.people.person(id))
        person.disabled = true
        #expect(try await house.provider.store.people.update(person, now: house.oauth.clock.now))
        #expect(try await house.outcome(custom(AppKey())) == "person_disabled")
    }

    @Test("Attack 33: a disabled person's lost answer is not given, nor their PIN's secret with it")
    func disabledAgain() async throws {
        try await house.change { $0.policy.registration.pin.use = "optional" }
        let device = try await AppDevice(house)
        let transport = PINTransportKey()
        let request = try await device.registration(
            offering: transport.publicKey, subject: "dora")
        let answer = try await house.send(request)
        #expect(answer.status == 201)
        let id = try #require(Identifier<Person>(answer.body["user_id"]?.string ?? ""))
        func disable(_ disabled: Bool) async throws {
            var person = try #require(try await house.provider.store.people.person(id))
            person.disabled = disabled
            #expect(
                try await house.provider.store.people.update(person, now: house.oauth.clock.now))
        }
        try await disable(true)
        let refused = try await house.send(request)
        #expect(refused.status == 403 && refused.body["code"] == "person_disabled")
        #expect(refused.body["pin"] == nil && refused.body["user_id"] == nil)
        // The token has expired by then: only the key sends the request.
        house.oauth.clock.advance(by: .hours(2))
        var late = try await device.registration(
            offering: transport.publicKey, subject: "dora")
        late.evidence = request.evidence
        #expect(try await house.outcome(late) == "person_disabled")
        try await disable(false)
        let again = try await house.send(
            try await device.registration(offering: transport.publicKey, subject: "dora"))
        #expect(again.status == 200 && again.body["pin"] != nil)
    }

    @Test("A signed token registers a person once, unless the project allows more, each with a key")
    func signedJWT() async throws {
        func request(_ key: AppKey?) async throws -> AppRegistrationRequest {
            try await house.request(
                token: house.token("carla").signed(by: house.signer), key: key)
        }
        let first = try await registered(request(AppKey()))
        #expect(try await house.outcome(request(AppKey())) == "already_registered")
        try await house.change { $0.policy.registration.secondInstallations = true }
        let second = try await registered(request(AppKey()))
        #expect(first.userID == second.userID)
        #expect(try await house.outcome(request(nil)) == "already_registered")
    }

    // MARK: What is said of them

    private func attributes(_ answer: AppRegistrationResponse) async throws -> String? {
        let id = try #require(Identifier<Person>(answer.userID))
        return try await house.provider.store.people.person(id)?.attributes
    }

    @Test("A further statement of an issuer replaces the stored attributes")
    func spokenAgain() async throws {
        func request(
            _ attributes: JSONObject, key: AppKey? = nil
        ) async throws -> AppRegistrationRequest {
            var token = house.token("carla")
            token.attributes = attributes
            return try await house.request(
                token: token.signed(by: house.signer), key: key ?? AppKey())
        }
        let gold = JSONObject([
            .init(name: "plan", value: "gold"), .init(name: "seats", value: 3),
            .init(name: "salary", value: 1),
        ])
        let silver = JSONObject([.init(name: "plan", value: "silver")])
        let first = try await registered(request(gold))
        #expect(try await attributes(first) == #"{"plan":"gold","seats":3}"#)
        // What is refused changes nothing.
        #expect(try await house.outcome(request(silver)) == "already_registered")
        #expect(try await attributes(first) == #"{"plan":"gold","seats":3}"#)
        try await house.change { $0.policy.registration.secondInstallations = true }
        let second = try await request(silver)
        #expect(try await registered(second).userID == first.userID)
        #expect(try await attributes(first) == #"{"plan":"silver"}"#)
        // A token that was used before is ignored.
        let third = try await registered(request(gold))
        #expect(try await attributes(third) == #"{"plan":"gold","seats":3}"#)
        var replayed = second
        replayed.registrationID = try await request(silver).registrationID
        _ = try await house.send(replayed)
        #expect(try await attributes(first) == #"{"plan":"gold","seats":3}"#)
    }

    @Test("A service of one's own likewise; who is disabled stays as they are")
    func serviceAgain() async throws {
        try await house.change { project in
            project.policy.registration.identityProviders[0].attributes = ["department"]
        }
        let said = Mutex("staff")
        http.answer { _ throws(OutgoingHTTPError) in
            let word = said.withLock { $0 }
            let body =
                #"{"status":2000,"user":{"sub":"anna-7","attributes":{"department":"\#(word)"}}}"#
            return OutgoingResponse(status: 200, body: Array(body.utf8))
        }
        let first = try await registered(custom(AppKey()))
        #expect(try await attributes(first) == #"{"department":"staff"}"#)
        said.withLock { $0 = "sales" }
        _ = try await registered(custom(AppKey()))
        #expect(try await attributes(first) == #"{"department":"sales"}"#)
        let store = house.provider.store
        let id = try #require(Identifier<Person>(first.userID))
        var person = try #require(try await store.people.person(id))
        person.disabled = true
        #expect(try await store.people.update(person, now: house.oauth.clock.now))
        said.withLock { $0 = "board" }
        #expect(try await house.outcome(custom(AppKey())) != "registered")
        #expect(try await attributes(first) == #"{"department":"sales"}"#)
    }

    @Test("Who registers by what we know of them keeps what an issuer said")
    func notSpokenOf() async throws {
        let store = house.provider.store
        let key = try AppKey()
        let token = try await house.browserToken(key)
        let anna = house.oauth.anna.id
        let before = #"{"plan":"gold"}"#
        _ = try await house.oauth.engine.change(
            "UPDATE people SET attributes = $2 WHERE id = $1",
            arguments: [.bytes(anna.bytes), .text(before)])
        let first = try await registered(house.browserRegistration(token, key: key))
        #expect(first.userID == anna.description)
        let another = try AppKey()
        _ = try await registered(
            house.browserRegistration(try await house.browserToken(another), key: another))
        #expect(try await store.people.person(anna)?.attributes == before)
    }

    // MARK: The browser

    @Test("A person who has just signed in in a browser gets an installation, and then another")
    func signedIn() async throws {
        let key = try AppKey()
        let first = try await registered(
            house.browserRegistration(try await house.browserToken(key), key: key))
        let other = try AppKey()
        let second = try await registered(
            house.browserRegistration(try await house.browserToken(other), key: other))
        #expect(first.userID == house.oauth.anna.id.description)
        #expect(second.userID == first.userID && second.installationID != first.installationID)
        #expect(try await house.signIn(key, as: first.userID)["access_token"] != nil)
    }

    @Test("A token that is old, narrow, an installation's or without a person is refused")
    func tokenRefusals() async throws {
        #expect(try await house.outcome(house.browserRegistration("x")) == "not_signed_in")
        let key = try AppKey()
        let narrow = try await house.browserToken(key, scope: "openid")
        #expect(
            try await house.outcome(house.browserRegistration(narrow, key: key)) == "scope_missing")
        let token = try await house.browserToken(key)
        // The token is of use to the key alone that it is bound to.
        #expect(try await house.outcome(house.browserRegistration(token)) == "not_signed_in")
        let user = try await registered(house.browserRegistration(token, key: key))
        let theirs = try #require(
            try await house.signIn(key, as: user.userID, headers: house.proof(of: key))[
                "access_token"]?.string)
        #expect(
            try await house.outcome(house.browserRegistration(theirs, key: key)) == "token_refused")
        var without = try await house.browserRegistration(token, key: key)
        without.evidence = JSONObject()
        #expect(try await house.outcome(without) == "missing_input")
    }
}
