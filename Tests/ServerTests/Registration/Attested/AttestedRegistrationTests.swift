// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import AttestationSupport
import Crypto
import HTTPTypes
import JOSE
import OAuth
import PIN
import Primitives
import ProviderCore
import ProviderSupport
import Storage
import Support
import Testing

/// Registrations by what a vendor says of app and device.
@Suite struct AttestedRegistrationTests {
    private let attested: AttestedHouse

    init() async throws { attested = try await AttestedHouse() }

    private func refusal(
        _ request: AppRegistrationRequest
    ) async throws -> (code: String?, check: String?) {
        let answer = try await attested.house.send(request)
        return (answer.body["code"]?.string, answer.body["check"]?.string)
    }

    private func androidKey(_ made: AndroidAttestation) throws -> AppKey {
        try AppKey(PrivateJWK(scalar: Secret(made.key.rawRepresentation), on: .p256), .es256)
    }

    private func methods(_ token: JSONValue?) throws -> JSONValue? {
        try attested.house.oauth.claims(of: token?.string)["amr"]
    }

    // MARK: App Attest

    @Test("App Attest registers a key that is bound to the app by the challenge, and signs in")
    func appAttest() async throws {
        let (made, key) = (try AppAttestation(authority: attested.authority), try AppKey())
        let user = try await attested.registered(made, key)
        #expect(user.method == .appAttest && user.username == user.userID)
        let id = try #require(Identifier<Person>(user.userID))
        let installation = try #require(
            try await attested.house.provider.store.installations.installations(of: id).first)
        #expect(installation.details.contains(AppAttestation.application))
        let answer = try await attested.house.signIn(key, as: user.userID)
        #expect(try methods(answer["access_token"]) == ["swk"])
    }

    @Test("Evidence for another nonce, another key, app, environment or root is refused")
    func appAttestRefusals() async throws {
        let key = try AppKey()
        let nonce = try await attested.house.nonce("appAttest")
        let right = KeyBinding(nonce: nonce, key: key.key).bytes
        let otherKey = KeyBinding(nonce: nonce, key: try AppKey().key).bytes
        let otherNonce = KeyBinding(
            nonce: try await attested.house.nonce("appAttest"), key: key.key
        ).bytes
        var otherApp = try AppAttestation(authority: attested.authority)
        otherApp.application = "TEAM123456.org.example.stranger"
        var production = try AppAttestation(authority: attested.authority)
        production.aaguid = Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
        var counted = try AppAttestation(authority: attested.authority)
        counted.counter = 1
        let ours = try AppAttestation(authority: attested.authority)
        let cases: [(AppAttestation, [UInt8], String)] = [
            (ours, otherKey, "challenge_mismatch"), (ours, otherNonce, "challenge_mismatch"),
            (ours, [UInt8](repeating: 0, count: 32), "challenge_mismatch"),
            (otherApp, right, "application_mismatch"),
            (production, right, "environment_mismatch"),
            (counted, right, "counter_not_zero"),
            (try AppAttestation(), right, "chain_untrusted"),
        ]
        for (made, challenge, check) in cases {
            let request = try await attested.request(.appAttest, key: key, nonce: nonce) { _, _ in
                try attested.appAttest(made, challenge)
            }
            let refused = try await refusal(request)
            #expect(refused.code == "evidence_refused" && refused.check == check)
        }
        let fine = try await attested.request(.appAttest, key: key, nonce: nonce) {
            try attested.appAttest(ours, $1)
        }
        #expect(try await attested.house.outcome(fine) == "registered")
    }

    @Test(
        "Evidence that is missing or cannot be read is named",
        arguments: [
            (.appAttest, "key_id", nil, "missing_input"),
            (.appAttest, "key_id", "*", "malformed_input"),
            (.appAttest, "attestation", nil, "missing_input"),
            (.appAttest, "attestation", 7, "malformed_input"),
            (.appAttest, "attestation", "AAAA", "evidence_refused"),
            (.keyAttestation, "certificates", nil, "missing_input"),
            (.keyAttestation, "certificates", [], "malformed_input"),
            (.keyAttestation, "certificates", ["*"], "malformed_input"),
            (.keyAttestation, "certificates", ["AAAA"], "evidence_refused"),
            (.playIntegrity, "token", nil, "missing_input"),
            (.playIntegrity, "token", "a.b.c.d.e", "evidence_refused"),
            (.deviceCheck, "token", nil, "missing_input"),
            (.deviceCheck, "token", "*", "malformed_input"),
        ] as [(AppRegistrationMethod, String, JSONValue?, String)])
    func forms(
        method: AppRegistrationMethod, name: String, value: JSONValue?, code: String
    ) async throws {
        let made = try AppAttestation(authority: attested.authority)
        let request = try await attested.request(method, key: AppKey()) {
            var evidence = try attested.appAttest(made, $1)
            evidence[name] = value
            return evidence
        }
        #expect(try await refusal(request).code == code)
    }

    @Test("With a PIN, the transport key is in what App Attest has attested")
    func appAttestWithPIN() async throws {
        let device = try await AppDevice(attested.house)
        let made = try AppAttestation(authority: attested.authority)
        let transport = PINTransportKey().publicKey
        let nonce = try await attested.house.nonce("appAttest")
        let parsed = try #require(PINNonce(text: nonce))
        let offer = String(
            decoding: try await device.requests.firstOffer(to: transport, nonce: parsed),
            as: UTF8.self)
        let challenge = PINRegistrationChallenge.bytes(
            device.requests.binding, nonce: parsed, transportKey: transport)
        var plain = try await attested.request(.appAttest, key: device.key, nonce: nonce) {
            try attested.appAttest(made, $1)
        }
        plain.pinOffer = offer
        #expect(try await refusal(plain).check == "challenge_mismatch")
        var bound = try await attested.request(.appAttest, key: device.key, nonce: nonce) { _, _ in
            try attested.appAttest(made, challenge)
        }
        bound.pinOffer = offer
        #expect(try await attested.house.outcome(bound) == "registered")
    }

    // MARK: Assertions

    @Test("An assertion of the app may go with a sign-in; each counts once, and never backwards")
    func assertions() async throws {
        let (made, key) = (try AppAttestation(authority: attested.authority), try AppKey())
        let user = try await attested.registered(made, key).userID
        func sign(_ counter: UInt8) async throws -> Bool {
            let token = try await attested.assertion(user, key)
            return try await attested.signIn(
                token, attested.appAssertion(over: token, by: made.key, counter: counter))
        }
        #expect(try await sign(1))
        #expect(try await sign(3))
        #expect(try await !sign(3))
        #expect(try await !sign(2))
        #expect(try await sign(4))
    }

    @Test("Attack 2: of assertions with one counter at one moment one signs in")
    func counterRace() async throws {
        let (made, key) = (try AppAttestation(authority: attested.authority), try AppKey())
        let user = try await attested.registered(made, key).userID
        var pairs: [(String, String)] = []
        for _ in 0..<8 {
            let token = try await attested.assertion(user, key)
            pairs.append(
                (token, try attested.appAssertion(over: token, by: made.key, counter: 1)))
        }
        let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for (token, app) in pairs {
                group.addTask { try await attested.signIn(token, app) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(accepted == 1)
    }

    @Test("An assertion over another token, by another key or app is refused")
    func foreignAssertions() async throws {
        let (made, key) = (try AppAttestation(authority: attested.authority), try AppKey())
        let user = try await attested.registered(made, key).userID
        let token = try await attested.assertion(user, key)
        let other = try await attested.assertion(user, key)
        for wrong in [
            try attested.appAssertion(over: other, by: made.key, counter: 1),
            try attested.appAssertion(over: token, by: .init(), counter: 1),
            try attested.appAssertion(
                over: token, by: made.key, counter: 1, application: "TEAM123456.org.example.x"),
            "", "AAAA", "*",
        ] {
            #expect(try await !attested.signIn(token, wrong))
        }
        let stranger = try AppKey()
        let anna = try await attested.house.registered(stranger).userID
        let theirs = try await attested.assertion(anna, stranger)
        let app = try attested.appAssertion(over: theirs, by: made.key, counter: 9)
        #expect(try await !attested.signIn(theirs, app))
        #expect(try await attested.signIn(theirs, nil))
        #expect(
            try await attested.signIn(
                token, attested.appAssertion(over: token, by: made.key, counter: 1)))
    }

    @Test("In a project that requires assertions, the key alone is refused")
    func demanded() async throws {
        let strict = try await AttestedHouse { apple, _ in apple["assertions"] = "required" }
        let (made, key) = (try AppAttestation(authority: strict.authority), try AppKey())
        let user = try await strict.registered(made, key).userID
        let token = try await strict.assertion(user, key)
        #expect(try await !strict.signIn(token, nil))
        #expect(
            try await strict.signIn(
                token, strict.appAssertion(over: token, by: made.key, counter: 1)))
    }

    @Test("Nor does a key that was added to an attested installation, without the app's assertion")
    func demandedOfAuthenticators() async throws {
        let strict = try await AttestedHouse { apple, _ in apple["assertions"] = "required" }
        try await strict.house.change { $0.policy.registration.authenticators = ["ring"] }
        let (made, key, ring) = (
            try AppAttestation(authority: strict.authority), try AppKey(), try AppKey()
        )
        let user = try await strict.registered(made, key).userID
        let token = try await strict.assertion(user, key)
        let access = try await strict.house.oauth.json(
            strict.house.oauth.post(
                "/token",
                [
                    "grant_type": TokenRequest.assertionGrantType, "client_id": "app",
                    "assertion": token,
                    "app_assertion": strict.appAssertion(over: token, by: made.key, counter: 1),
                ]))["access_token"]?.string
        let nonce = try #require(
            ServerChallenge(
                try await strict.house.call(.post, "/registration/authenticators/challenge").body)
        ).nonce
        let added = try await strict.house.call(
            .post, "/registration/authenticators",
            [
                "kind": "ring", "nonce": .string(nonce), "public_key": ring.sent,
                "key_proof": .string(try ring.proof(nonce)), "name": "Ring",
            ], token: access)
        #expect(added.status == 201)
        let again = try await strict.assertion(user, ring)
        #expect(try await !strict.signIn(again, nil))
        #expect(
            try await !strict.signIn(
                again, strict.appAssertion(over: again, by: .init(), counter: 2)))
        #expect(
            try await strict.signIn(
                again, strict.appAssertion(over: again, by: made.key, counter: 2)))
    }

    // MARK: Android

    @Test("Android's key store attests the key itself, which is then one in hardware")
    func keyAttestation() async throws {
        let made = try AndroidAttestation(authority: attested.authority)
        let key = try androidKey(made)
        let request = try await attested.request(.keyAttestation, key: key) { nonce, _ in
            try attested.android(made, nonce)
        }
        let answer = try await attested.house.send(request)
        #expect(answer.status == 201)
        let user = try #require(AppRegistrationResponse(answer.body)).userID
        let tokens = try await attested.house.signIn(key, as: user)
        #expect(try methods(tokens["access_token"]) == ["hwk"])
    }

    @Test("A chain for another nonce, key or app, a revoked one, or an unlocked device is refused")
    func keyAttestationRefusals() async throws {
        let made = try AndroidAttestation(authority: attested.authority)
        let key = try androidKey(made)
        let nonce = try await attested.house.nonce("keyAttestation")
        let other = try await attested.house.nonce("keyAttestation")
        var stranger = made
        stranger.description.software = [709: KeyDescription.applicationID(["org.example.x"])]
        var resigned = made
        resigned.description.software = [
            709: KeyDescription.applicationID(digests: [[UInt8](repeating: 1, count: 32)])
        ]
        var unlocked = made
        unlocked.description.hardware[704] = KeyDescription.rootOfTrust(locked: false)
        var software = made
        software.description.keyLevel = 0
        let cases: [(AndroidAttestation, AppKey, String, String)] = [
            (made, key, other, "challenge_mismatch"), (made, try AppKey(), nonce, "key_mismatch"),
            (stranger, key, nonce, "application_mismatch"),
            (resigned, key, nonce, "fingerprint_mismatch"),
            (unlocked, key, nonce, "device_unlocked"),
            (software, key, nonce, "security_level_too_low"),
            (try AndroidAttestation(), key, nonce, "chain_untrusted"),
        ]
        for (made, key, challenge, check) in cases {
            let request = try await attested.request(.keyAttestation, key: key, nonce: nonce) {
                _, _ in try attested.android(made, challenge)
            }
            #expect(try await refusal(request).check == check)
        }
    }

    @Test("Without Google's list of revoked keys registration is refused; a key on it too")
    func revocation() async throws {
        func check(_ list: String?) async throws -> String? {
            let attested = try await AttestedHouse()
            attested.http.answer { _ throws(OutgoingHTTPError) in
                guard let list else { throw OutgoingHTTPError(.unreachable, "away") }
                return OutgoingResponse(status: 200, body: Array(list.utf8))
            }
            let made = try AndroidAttestation(authority: attested.authority)
            let request = try await attested.request(.keyAttestation, key: try androidKey(made)) {
                nonce, _ in try attested.android(made, nonce)
            }
            return try await attested.house.send(request).body["check"]?.string
        }
        #expect(try await check(nil) == "revocation_unknown")
        #expect(try await check("x") == "revocation_unknown")
        // Every certificate of the test's authority has this number.
        let listed = #"{"entries":{"10203":{"status":"REVOKED"}}}"#
        #expect(try await check(listed) == "certificate_revoked")
        #expect(try await check(#"{"entries":{}}"#) == nil)
    }

    @Test("Play Integrity binds a key by its nonce alone, and is used once")
    func playIntegrity() async throws {
        let key = try AppKey()
        let request = try await attested.request(.playIntegrity, key: key) {
            try attested.play($1)
        }
        let answer = try await attested.house.send(request)
        #expect(answer.status == 201)
        let user = try #require(AppRegistrationResponse(answer.body)).userID
        let tokens = try await attested.house.signIn(key, as: user)
        #expect(try methods(tokens["access_token"]) == ["swk"])
        // The same token for another key or nonce.
        let stolen = request.evidence
        let other = try await attested.request(.playIntegrity, key: AppKey()) { _, _ in stolen }
        #expect(try await refusal(other).check == "challenge_mismatch")
        let old = try await attested.request(.playIntegrity, key: AppKey()) {
            try attested.play($1) { $0["timestampMillis"] = "1700000000000" }
        }
        #expect(try await refusal(old).check == "timestamp_invalid")
        let foreign = try await attested.request(.playIntegrity, key: AppKey()) {
            try attested.play($1) { $0["requestPackageName"] = "org.example.x" }
        }
        #expect(try await refusal(foreign).check == "application_mismatch")
    }

    @Test("A vendor's statement does not bind a key without its signature, nor a missing key")
    func keyProof() async throws {
        for method in [
            AppRegistrationMethod.appAttest, .playIntegrity, .deviceCheck, .keyAttestation,
        ] {
            let key = try AppKey()
            var request = try await attested.request(method, key: key) { try attested.play($1) }
            request.keyProof = try AppKey().proof(request.nonce)
            #expect(try await refusal(request).code == "key_proof_refused")
            request.keyProof = nil
            #expect(try await refusal(request).code == "missing_input")
            request.key = nil
            #expect(try await refusal(request).code == "missing_input")
        }
    }

    @Test("A lost answer costs nothing; another key under the same id is refused")
    func repeated() async throws {
        let (made, key) = (try AppAttestation(authority: attested.authority), try AppKey())
        let request = try await attested.request(.appAttest, key: key) {
            try attested.appAttest(made, $1)
        }
        let first = try await attested.house.send(request)
        let again = try await attested.house.send(request)
        #expect(
            first.status == 201 && again.status == 200
                && first.body.withoutNext == again.body.withoutNext)
        let other = try await attested.request(
            .appAttest, key: AppKey(), id: request.registrationID
        ) { try attested.appAttest(made, $1) }
        #expect(try await refusal(other).code == "registration_id_taken")
    }

    @Test("A lost response is repeated to the holder of the key, also after the evidence expired")
    func repeatedLate() async throws {
        let android = try AndroidAttestation(authority: attested.authority)
        let (hardware, plain) = (try androidKey(android), try AppKey())
        try await answeredLate(hardware) {
            try await attested.request(.keyAttestation, key: hardware) { nonce, _ in
                try attested.android(android, nonce)
            }
        }
        try await answeredLate(plain) {
            try await attested.request(.playIntegrity, key: plain) { try attested.play($1) }
        }
    }

    private func answeredLate(
        _ key: AppKey, _ make: () async throws -> AppRegistrationRequest
    ) async throws {
        let request = try await make()
        let answer = try await attested.house.send(request)
        #expect(answer.status == 201)
        attested.house.oauth.clock.advance(by: .seconds(301))
        #expect(try await refusal(request).code == "challenge_refused")
        var late = request
        late.nonce = try await attested.house.nonce(request.method.rawValue)
        late.keyProof = try key.proof(late.nonce)
        let again = try await attested.house.send(late)
        #expect(again.status == 200 && again.body.withoutNext == answer.body.withoutNext)
        // Under another id the evidence is consumed.
        late.registrationID = attested.house.newID()
        #expect(try await refusal(late).check == "challenge_mismatch")
    }

    @Test("App Attest attests a key once: with a lost answer goes the app's next one")
    func attestedAnew() async throws {
        let (made, key) = (try AppAttestation(authority: attested.authority), try AppKey())
        let first = try await attested.request(.appAttest, key: key) {
            try attested.appAttest(made, $1)
        }
        let answer = try await attested.house.send(first)
        let user = try #require(AppRegistrationResponse(answer.body)).userID
        let next = try AppAttestation(authority: attested.authority)
        let anew = try await attested.request(.appAttest, key: key, id: first.registrationID) {
            try attested.appAttest(next, $1)
        }
        let again = try await attested.house.send(anew)
        #expect(again.body.withoutNext == answer.body.withoutNext)
        // What was heard before changes nothing: its nonce is used.
        #expect(try await attested.house.send(first).status == 200)
        let token = try await attested.assertion(user, key)
        let old = try attested.appAssertion(over: token, by: made.key, counter: 9)
        #expect(try await !attested.signIn(token, old))
        #expect(
            try await attested.signIn(
                token, attested.appAssertion(over: token, by: next.key, counter: 1)))
    }

    @Test("What is not set up is not offered")
    func notSetUp() async throws {
        let house = try await RegistrationHouse()
        try await house.change {
            $0.policy.registration.methods = [
                "appAttest", "deviceCheck", "keyAttestation", "playIntegrity",
            ]
        }
        for method in [
            AppRegistrationMethod.appAttest, .deviceCheck, .keyAttestation, .playIntegrity,
        ] {
            let key = try AppKey()
            let request = try await house.request(method, token: "x", key: key)
            #expect(try await house.outcome(request) == "method_not_supported")
        }
    }
}
