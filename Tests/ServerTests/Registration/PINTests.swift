// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Crypto
import HTTPServer
import HTTPTypes
import JOSE
import PIN
import PINSupport
import Primitives
import ProviderCore
import ProviderInstallations
import Storage
import Support
import Testing

/// Registering with a PIN, signing in with it, changing it: at the provider's endpoints.
@Suite struct PINTests {
    private let house: RegistrationHouse
    private let right = "24681"

    init() async throws { house = try await RegistrationHouse() }

    private func device() async throws -> AppDevice {
        try await AppDevice.registered(in: house, pin: right)
    }

    private func rules(_ change: (inout ProjectPINPolicy) -> Void) async throws {
        try await house.change { change(&$0.policy.registration.pin) }
    }

    // MARK: Registering

    @Test("A challenge says what the project asks of PINs")
    func policy() async throws {
        try await rules {
            $0.use = "required"
            $0.length = 6
            $0.blocked = ["123123"]
            $0.attempts = 3
        }
        for (path, body) in [
            ("/registration/challenge", ["method": "signedJWT"] as JSONValue?),
            ("/registration/pin/challenge", nil),
        ] {
            let answer = try await house.call(.post, path, body)
            let pin = try #require(ServerChallenge(answer.body)?.pin)
            #expect(pin["use"] == "required" && pin["attempts"] == 3)
            let policy = try #require(pin["policy"].flatMap { DevicePINPolicy($0) })
            #expect(policy.length == 6 && policy.blocked == ["123123"])
        }
        try await rules { $0.use = "off" }
        #expect(try await house.call(.post, "/registration/pin/challenge").body["pin"] == nil)
    }

    @Test("Installation, key, PIN and event are one commit, and the secret is delivered")
    func registers() async throws {
        var device = try await AppDevice(house)
        let transport = PINTransportKey()
        let request = try await device.registration(offering: transport.publicKey)
        var answer: (status: Int, body: JSONObject, headers: HTTPFields)?
        let cost = try await house.oauth.engine.count { answer = try await house.send(request) }
        #expect(cost.writes == 1)
        let body = try #require(answer).body
        _ = try await device.seal(
            device.pinAnswer(body), transport, try #require(PINNonce(text: request.nonce)),
            under: right)
        let user = try #require(AppRegistrationResponse(body))
        let person = try #require(Identifier<Person>(user.userID))
        let installation = try #require(
            try await house.provider.store.installations.installations(of: person).first)
        #expect(installation.hasPIN)
    }

    @Test("The responses of register and pin have the nonce for the next message")
    func next() async throws {
        var device = try await AppDevice(house)
        let transport = PINTransportKey()
        let request = try await device.registration(offering: transport.publicKey)
        let answer = try await house.send(request)
        let secret = try await device.seal(
            device.pinAnswer(answer.body), transport, try #require(PINNonce(text: request.nonce)),
            under: right)
        let first = try nonce(answer.body)
        let commit = try await device.requests.commit(secret, nonce: first)
        let committed = try await house.call(
            .post, "/registration/pin",
            ["request": .string(String(decoding: commit, as: UTF8.self))])
        guard case .version(let statement)? = PINResponse(json: committed.body.bytes) else {
            Issue.record("no version")
            return
        }
        device.state = try device.state.applying(
            device.statements.version(statement, answering: first))
        let signIn = try await device.signInRequest(right, nonce: nonce(committed.body))
        #expect(try await device.send(signIn).isAccepted)
    }

    private func nonce(_ body: JSONObject) throws -> PINNonce {
        let next = try #require(body["next"]?.object.flatMap(ServerChallenge.init))
        return try #require(PINNonce(text: next.nonce))
    }

    @Test("A lost answer costs nothing: same bytes, or a fresh nonce, bring the same secret")
    func lostAnswer() async throws {
        var device = try await AppDevice(house)
        let transport = PINTransportKey()
        let request = try await device.registration(
            offering: transport.publicKey, subject: "anna-7")
        let first = try await house.send(request)
        let again = try await house.send(request)
        #expect(first.status == 201 && again.status == 200)
        let fresh = try await device.registration(
            offering: transport.publicKey, subject: "anna-7")
        let third = try await house.send(fresh)
        #expect(third.status == 200)
        let nonce = try #require(PINNonce(text: request.nonce))
        for answer in [first, again] {
            guard case .delivery(let jws) = try device.pinAnswer(answer.body) else {
                Issue.record("no delivery")
                continue
            }
            #expect(try device.statements.delivery(jws, answering: nonce).version == 1)
        }
        let secret = try await device.seal(
            device.pinAnswer(third.body), transport,
            try #require(PINNonce(text: fresh.nonce)), under: right)
        try await device.commit(secret)
        #expect(try await device.signIn(right).isAccepted)
        // After a PIN is active, a repeated registration creates no other one.
        let late = try await house.send(
            try await device.registration(
                offering: PINTransportKey().publicKey, subject: "anna-7"))
        #expect(try device.pinAnswer(late.body) == .refused)
        let bytes = try await house.send(request)
        #expect(try device.pinAnswer(bytes.body) == .refused)
        #expect(try await device.signIn(right).isAccepted)
    }

    @Test("An app that lost its transport key gets the next secret, and the last one counts")
    func lostTransportKey() async throws {
        var device = try await AppDevice(house)
        let lost = try await device.registration(
            offering: PINTransportKey().publicKey, subject: "anna-7")
        #expect(try await house.send(lost).status == 201)
        let transport = PINTransportKey()
        let request = try await device.registration(
            offering: transport.publicKey, subject: "anna-7")
        let secret = try await device.seal(
            device.pinAnswer(try await house.send(request).body), transport,
            try #require(PINNonce(text: request.nonce)), under: right)
        #expect(secret.version == 2)
        try await device.commit(secret)
        #expect(try await device.signIn(right).isAccepted)
    }

    @Test("A PIN is asked for, refused or left to the app, as the project says")
    func use() async throws {
        let device = try await AppDevice(house)
        let offered = try await device.registration(offering: PINTransportKey().publicKey)
        var without = offered
        without.pinOffer = nil
        try await rules { $0.use = "off" }
        #expect(try await house.outcome(offered) == "pin_not_offered")
        try await rules { $0.use = "required" }
        #expect(try await house.outcome(without) == "missing_input")
        // Without a key there is no PIN either.
        var keyless = try await house.request(token: house.token().signed(by: house.signer))
        #expect(try await house.outcome(keyless) == "missing_input")
        keyless.pinOffer = offered.pinOffer
        #expect(try await house.outcome(keyless) == "missing_input")
        keyless.pinOffer = nil
        try await rules { $0.use = "optional" }
        #expect(try await house.outcome(keyless) == "registered")
        #expect(try await house.outcome(without) == "registered")
    }

    @Test("An offer of another key, nonce, issuer or kind is refused")
    func foreignOffers() async throws {
        let (device, other) = (try await AppDevice(house), try await AppDevice(house))
        let transport = PINTransportKey().publicKey
        let request = try await device.registration(offering: transport)
        let nonce = try #require(PINNonce(text: request.nonce))
        let elsewhere = try #require(
            PINRequestSigner(issuer: "https://other.example", key: try SoftwareDeviceKey()))
        let grown = try await AppDevice.registered(in: house)
        var offers = [
            try await other.requests.firstOffer(to: transport, nonce: nonce),
            try await elsewhere.firstOffer(to: transport, nonce: nonce),
            try await device.requests.firstOffer(to: transport, nonce: device.nonce()),
            try await grown.requests.signIn(with: grown.open(right), nonce: nonce),
            Array("a.b.c".utf8), [],
        ]
        var forged = try await device.requests.firstOffer(to: transport, nonce: nonce)
        forged[forged.count - 8] = forged[forged.count - 8] == 0x41 ? 0x42 : 0x41
        offers.append(forged)
        for offer in offers {
            var wrong = request
            wrong.pinOffer = String(decoding: offer, as: UTF8.self)
            #expect(try await house.outcome(wrong) == "pin_refused")
        }
        var keyless = request
        keyless.key = nil
        #expect(try await house.outcome(keyless) == "missing_input")
        #expect(try await house.outcome(request) == "registered")
    }

    // MARK: Signing in

    @Test("PIN and key together are two factors, and the key alone is refused")
    func signsIn() async throws {
        let device = try await device()
        let answer = try await device.signIn(right)
        #expect(answer.isAccepted)
        let claims = try house.oauth.claims(of: answer.body["access_token"]?.string)
        #expect(claims["amr"] == ["swk", "pin", "mfa"] && claims["acr"] == "phr")
        let user = try #require(claims["sub"]?.string)
        let alone = try await house.signIn(device.key, as: user)
        #expect(alone["error"] == "invalid_grant" && alone["access_token"] == nil)
        #expect(try await house.events("token.pin").map(\.person?.description) == [user])
        #expect(
            try await house.refresh(try #require(answer.body["refresh_token"]?.string)).status.code
                == 200)
    }

    @Test("The first sign-in activates the PIN, with one request; the key alone is refused before")
    func firstSignIn() async throws {
        var device = try await AppDevice(house)
        let transport = PINTransportKey()
        let request = try await device.registration(offering: transport.publicKey)
        let answer = try await house.send(request)
        let secret = try await device.seal(
            device.pinAnswer(answer.body), transport, try #require(PINNonce(text: request.nonce)),
            under: right)
        let user = try #require(AppRegistrationResponse(answer.body)).userID
        #expect(try await house.signIn(device.key, as: user)["access_token"] == nil)
        let wrong = try await device.signIn("11223")
        #expect(wrong.code == "wrong_pin" && wrong.attemptsUsed == 1)
        let first = try await device.send(
            try await device.requests.signIn(with: secret, nonce: device.nonce()))
        #expect(first.isAccepted)
        #expect(try await device.signIn(right).isAccepted)
        #expect(try await house.events("pin.commit").isEmpty)
        let events = try await house.events("token.pin")
        #expect(events.count == 3 && events.count { $0.code == "wrong_pin" } == 1)
    }

    // MARK: Versions

    @Test("The provider says which versions it speaks, and publishes the key for proofs")
    func versions() async throws {
        let document = try await house.call(.get, "/.well-known/gatehouse").body
        #expect(document["pin"]?["versions"] == [1, 2])
        let keys = try JWKSet(bytes: try await house.provider.jwks(of: house.oauth.tenant))
        #expect(PINProofPublicKey(in: keys) != nil)
        #expect(keys.keys.count { $0.parameters.use == "enc" } == 1)
    }

    @Test("An app of version 1 registers and signs in as before")
    func version1() async throws {
        let device = try await AppDevice(house)
        let old = device.version1
        let transport = Curve25519.KeyAgreement.PrivateKey()
        let public1 = Array(transport.publicKey.rawRepresentation)
        var request = try await device.registration(offering: PINTransportKey().publicKey)
        let nonce = try #require(PINNonce(text: request.nonce))
        request.pinOffer = String(
            decoding: try await old.firstOffer(to: public1, nonce: nonce), as: UTF8.self)
        let registered = try await house.send(request)
        #expect(registered.status == 201)
        guard case .delivery(let statement) = try device.pinAnswer(registered.body) else {
            Issue.record("no delivery")
            return
        }
        let keys = try await house.provider.keys.publishedKeys(of: house.oauth.tenant)
        let payload = try #require(
            try Version1Device.payload(of: statement, type: "delivery", keys: keys))
        let secret = try #require(try old.open(payload, with: transport))
        let early = try await device.send(old.signIn(with: secret, nonce: device.nonce()))
        #expect(early.code == "refused")
        let committed = try await device.ask(old.commit(secret, nonce: device.nonce()))
        #expect(committed.answer.code == "version")
        let signedIn = try await device.send(old.signIn(with: secret, nonce: device.nonce()))
        #expect(signedIn.isAccepted)
        let wrong = Version1Secret(version: 1, bytes: secret.bytes.reversed())
        let counted = try await device.send(old.signIn(with: wrong, nonce: device.nonce()))
        #expect(counted.attemptsUsed == 1)
    }

    @Test("A rotated key still opens proofs; after it is retired they are refused, not counted")
    func rotatedProofKey() async throws {
        var device = try await device()
        let tenant = house.oauth.tenant
        #expect(try await house.provider.encryptionKeys.rotate(of: tenant))
        let new = try #require(try await AppDevice.proofKey(of: house))
        #expect(try await device.signIn(right).isAccepted)
        let retiring = try #require(
            try await house.provider.store.encryptionKeys.encryptionKeys(of: tenant.project.id)
                .first { $0.state == .retiring })
        #expect(try await house.provider.encryptionKeys.retire(retiring.id, of: tenant))
        for pin in [right, "11223"] {
            #expect(try await device.signIn(pin).code == "refused")
        }
        device.requests = device.requests.sealing(to: new)
        #expect(try await device.signIn(right).isAccepted)
        #expect(try await device.signIn("11223").attemptsUsed == 1)
    }

    @Test("A wrong PIN says what is left, in every place; a right one clears the count")
    func wrong() async throws {
        let device = try await device()
        let answer = try await device.signIn("11223")
        #expect(answer.status == 400 && answer.body["error"] == "invalid_grant")
        #expect(answer.code == "wrong_pin" && answer.attemptsUsed == 1)
        #expect(answer.body["attempts"]?["remaining"] == 4)
        let asked = try await device.ask(try await device.signInRequest("11224"))
        #expect(asked.status == 403)
        #expect(asked.answer.members.contains { $0.name == "attempts" })
        #expect(try await device.signIn(right).isAccepted)
        #expect(try await device.signIn("11223").attemptsUsed == 1)
        let events = try await house.events("token.pin").filter { $0.code == "wrong_pin" }
        #expect(events.count == 2 && events.allSatisfy { $0.person != nil })
    }

    @Test("The last wrong PIN locks: grants end, key and secrets are deleted, the reason is signed")
    func locks() async throws {
        try await rules { $0.attempts = 3 }
        let device = try await device()
        let tokens = try await device.signIn(right).body
        let access = try #require(tokens["access_token"]?.string)
        let late = try await device.signInRequest(right)
        #expect(try await device.signIn("11221").attemptsUsed == 1)
        #expect(try await device.signIn("11222").attemptsUsed == 2)
        let last = try await device.signIn("11223")
        #expect(last.status == 400 && last.code == "ended")
        let statement = try device.statements.ending(try #require(last.statement))
        #expect(statement.ending == .profileLocked)
        #expect(try device.state.wiped(by: statement).ending == .profileLocked)
        // What was given is taken back, and the right PIN comes too late.
        #expect(try await house.oauth.userInfo(access).status.code == 401)
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try await house.refresh(refresh).status.code == 400)
        #expect(try await device.send(late).code == "ended")
        let stored = try #require(
            try await house.provider.store.pins.pin(
                of: device.key.key.jwk.thumbprint, in: house.oauth.tenant.project.id))
        #expect(stored.content.isEmpty && stored.installation == nil)
        #expect(
            try await house.events("token.pin").contains { $0.code == "profile_locked" })
    }

    @Test("The key of a terminated profile is never registered again, with a PIN or without")
    func overIsOver() async throws {
        try await rules { $0.attempts = 1 }
        var device = try await device()
        #expect(try await device.signIn("11223").code == "ended")
        device.id = house.newID()
        var request = try await device.registration(offering: PINTransportKey().publicKey)
        #expect(try await house.outcome(request) == "key_taken")
        request.pinOffer = nil
        #expect(try await house.outcome(request) == "key_taken")
    }

    @Test("A profile removed elsewhere receives a signed reason")
    func revoked() async throws {
        let device = try await device()
        let access = try #require(
            try await device.signIn(right).body["access_token"]?.string)
        let removed = try await house.call(
            .delete, "/registration/installations/current", token: access)
        #expect(removed.status == 204)
        let answer = try await device.signIn(right)
        #expect(answer.code == "ended")
        let statement = try device.statements.ending(try #require(answer.statement))
        #expect(statement.ending == .deviceRevoked)
    }

    @Test("Wider scopes, other clients and other messages get no tokens, and count nothing")
    func tokenRefusals() async throws {
        let device = try await device()
        let wide = try await device.send(
            try await device.signInRequest(right), scope: "orders:write")
        #expect(wide.body["error"] == "invalid_scope")
        let resolve = try await device.requests.commit(
            device.open(right), nonce: device.nonce())
        #expect(try await device.send(resolve).body["error"] == "invalid_grant")
        #expect(try await device.signIn(right).isAccepted)
    }

    @Test("A disabled person's PIN opens nothing")
    func disabled() async throws {
        let device = try await device()
        let claims = try house.oauth.claims(
            of: try await device.signIn(right).body["access_token"]?.string)
        let id = try #require(claims["sub"]?.string.flatMap { Identifier<Person>($0) })
        var person = try #require(try await house.provider.store.people.person(id))
        person.disabled = true
        #expect(try await house.provider.store.people.update(person, now: house.oauth.clock.now))
        let answer = try await device.signIn(right)
        #expect(!answer.isAccepted && answer.body["error"] == "invalid_grant")
    }

    // MARK: Changing

    @Test("A changed PIN counts from its commit on; the old one counts until then")
    func changes() async throws {
        var device = try await device()
        let old = device
        try await device.change(from: right, to: "86420")
        #expect(try await device.signIn("86420").isAccepted)
        #expect(try await device.signIn(right).code == "wrong_pin")
        #expect(try await old.signIn(right).code == "refused")
        #expect(try await house.events("pin.commit").count == 2)
    }

    @Test("A change with the wrong PIN is an attempt like any other")
    func changeCounts() async throws {
        try await rules { $0.attempts = 2 }
        let device = try await device()
        let offer = try await device.requests.nextOffer(
            to: PINTransportKey().publicKey, proving: device.open("11223"),
            nonce: device.nonce())
        let answer = try await device.ask(offer)
        #expect(answer.status == 403)
        #expect(answer.answer.code == "wrong_pin")
        #expect(try await device.signIn("11224").code == "ended")
    }

    @Test("After a restart the provider says which secret counts")
    func resolves() async throws {
        var device = try await device()
        let transport = PINTransportKey()
        let nonce = try await device.nonce()
        let offer = try await device.requests.nextOffer(
            to: transport.publicKey, proving: device.open(right), nonce: nonce)
        let secret = try await device.seal(
            try await device.ask(offer).answer, transport, nonce, under: "86420")
        let offered = try #require(device.state.offered)
        let asked = try await device.nonce()
        let answer = try await device.ask(device.requests.resolve(offered, nonce: asked)).answer
        guard case .version(let jws) = answer else {
            Issue.record("no version")
            return
        }
        device.state = try device.state.applying(
            device.statements.version(jws, answering: asked))
        #expect(try await device.signIn(right).isAccepted)
        let late = try await device.ask(
            device.requests.commit(secret, nonce: device.nonce()))
        #expect(late.answer == .refused)
    }

    @Test(
        "With the key alone there are the project's implicit scopes, and larger requests are refused"
    )
    func implicit() async throws {
        let device = try await device()
        let pinned = try await device.signIn(right).body["access_token"]?.string
        let userID = try #require(try house.oauth.claims(of: pinned)["sub"]?.string)
        func ask(_ scope: String?) async throws -> JSONObject {
            let challenge = try await house.signInChallenge()
            let assertion = try SignInToken(
                userID: userID, audience: challenge.audience, nonce: challenge.nonce,
                expiresAt: house.now + 300
            ).signed(by: device.key.signer)
            return try house.oauth.json(try await house.signIn(assertion, scope: scope))
        }
        #expect(try await ask("profile")["error"] == "invalid_grant")
        try await house.change { $0.policy.registration.pin.implicitScopes = ["profile"] }
        for scope in [nil, "", "openid", "profile openid", "profile offline_access"] {
            #expect(try await ask(scope)["error"] == "invalid_grant")
        }
        let tokens = try await ask("profile")
        #expect(tokens["refresh_token"] == nil && tokens["scope"] == "profile")
        let claims = try house.oauth.claims(of: tokens["access_token"]?.string)
        #expect(claims["amr"]?.strings == ["swk"])
    }

    @Test("An invalid message has a code; an unknown key is refused")
    func forms() async throws {
        let missing = try await house.call(.post, "/registration/pin", [:])
        #expect(missing.status == 400 && missing.body["code"] == "missing_input")
        let malformed = try await house.call(
            .post, "/registration/pin", ["request": "a.b.c"])
        #expect(malformed.status == 400 && malformed.body["code"] == "malformed_input")
        let stranger = try await AppDevice(house)
        let offer = try await stranger.requests.firstOffer(
            to: PINTransportKey().publicKey, nonce: stranger.nonce())
        let answer = try await stranger.ask(offer)
        #expect(answer.status == 403 && answer.answer == .refused)
    }

    @Test("A first secret is given within a registration and nowhere else")
    func firstOfferOutside() async throws {
        let device = try await device()
        let offer = try await device.requests.firstOffer(
            to: PINTransportKey().publicKey, nonce: device.nonce())
        #expect(try await device.ask(offer).answer == .refused)
    }
}
