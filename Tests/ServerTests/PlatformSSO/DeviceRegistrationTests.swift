// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import PlatformSSO
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderDevices
import ProviderTokens
import Storage
import Support
import Testing

@Suite struct DeviceRegistrationTests {
    private func stored(_ house: DeviceHouse) async throws -> [Device] {
        try await house.provider.store.devices.devices(
            of: try await house.tenant().project.id, after: nil, limit: 10)
    }

    @Test("a machine with a token learns everything that its configuration needs")
    func token() async throws {
        let house = try await DeviceHouse()
        let machine = try TestMachine(house)
        let token = try await house.registrationToken()
        let answer = try await machine.register { $0["registration_token"] = .string(token) }
        #expect(answer.status == 201)
        for name in ["nonce", "token", "refresh", "key", "jwks", "user_registration"] {
            #expect(answer.json["\(name)_endpoint"]?.string?.hasPrefix(DeviceHouse.issuer) == true)
        }
        #expect(answer.json["client_id"] == "platform-sso")
        #expect(answer.json["login_request_encryption_key"]?["use"] == "enc")
        let device = try #require(try await stored(house).first)
        #expect(device.facts.serial == "C02" && device.facts.model == "Mac15,3")
        #expect(device.sharing == .shared && device.registeredBy == nil)
    }

    @Test("a key may come as JWK, PEM with SubjectPublicKeyInfo, PEM with the point, or the point")
    func forms() throws {
        let key = try TestMachine.pair().publicKey
        let point = try #require(key.x963)
        let info =
            [
                0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
                0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
            ] as [UInt8] + point
        func pem(_ bytes: [UInt8]) -> JSONValue {
            .string(
                "-----BEGIN PUBLIC KEY-----\n\(Base64URL.encode(bytes))\n-----END PUBLIC KEY-----\n"
            )
        }
        for form in [key.json, pem(info), pem(point), .string(Base64URL.encode(point))] {
            #expect(try DevicePublicKey.read(form).material == key.material)
        }
        var off = point
        off[64] ^= 1
        let withPrivateHalf: JSONValue = [
            "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "d": "AA",
        ]
        for wrong: JSONValue in [
            .null, 1, "", "!", .string(Base64URL.encode(off)), withPrivateHalf, pem([0x30]),
            .string(Base64URL.encode(Array(point.dropLast()))),
            .string(String(repeating: "A", count: 5000)),
        ] {
            #expect(throws: PlatformSSORefusal(.publicKeyMalformed, "")) {
                try DevicePublicKey.read(wrong)
            }
        }
    }

    @Test("what is wrong with a registration is refused by its name, and costs the token nothing")
    func refusals() async throws {
        let house = try await DeviceHouse()
        let token = try await house.registrationToken()
        let other = try TestMachine.pair()
        let machine = try TestMachine(house)
        func attempt(
            _ code: String, _ change: (inout JSONObject) throws -> Void
        ) async throws {
            let answer = try await machine.register { body in
                body["registration_token"] = .string(token)
                try change(&body)
            }
            #expect(answer.status == 400)
            #expect(answer.error == code)
        }
        for name in [
            "device_signing_key", "device_encryption_key", "signing_key_proof",
            "encryption_key_proof",
        ] { try await attempt("claim_missing") { $0[name] = nil } }
        try await attempt("public_key_malformed") { $0["device_signing_key"] = "AAAA" }
        try await attempt("public_key_malformed") {
            $0["device_encryption_key"] = machine.signing.publicKey.json
        }
        try await attempt("key_id_mismatch") {
            $0["signing_key_id"] = .string(TestMachine.name(other))
        }
        try await attempt("key_id_malformed") { $0["encryption_key_id"] = "kid" }
        try await attempt("signature_invalid") {
            $0["device_signing_key"] = other.publicKey.json
        }
        try await attempt("key_id_mismatch") {
            $0["device_encryption_key"] = other.publicKey.json
        }
        try await attempt("decryption_failed") { $0["encryption_key_proof"] = "AAAA" }
        try await attempt("claim_malformed") { $0["encryption_key_proof"] = "!" }
        try await attempt("claim_malformed") { $0["shared_keys"] = "yes" }
        try await attempt("claim_malformed") { $0["serial_number"] = "C\u{07}2" }
        try await attempt("malformed") { $0["signing_key_proof"] = "a.b" }
        let answer = try await machine.register { $0["registration_token"] = .string(token) }
        #expect(answer.status == 201)
    }

    @Test("a proof for elsewhere, of another time or another kind is none")
    func proofs() async throws {
        let house = try await DeviceHouse()
        let token = try await house.registrationToken()
        let machine = try TestMachine(house)
        let now = house.clock.now.seconds
        let cases: [(String, (inout JSONObject) -> Void)] = [
            ("audience_mismatch", { $0["aud"] = "https://elsewhere.example/" }),
            (
                "expired",
                {
                    $0["exp"] = .integer(now - 61); $0["iat"] = .integer(now - 300)
                }
            ),
            ("issued_in_future", { $0["iat"] = .integer(now + 61) }),
            ("lifetime_too_long", { $0["exp"] = .integer(now + 3600) }),
            ("claim_missing", { $0["iat"] = nil }), ("claim_missing", { $0["nonce"] = nil }),
            ("key_id_mismatch", { $0["signing_key"] = $0["encryption_key"] }),
        ]
        for (code, change) in cases {
            let nonce = try await house.nonce()
            let proof = try machine.proof(machine.signing, nonce, change)
            let answer = try await machine.register(nonce: nonce) {
                $0["registration_token"] = .string(token)
                $0["signing_key_proof"] = .string(proof)
            }
            #expect(answer.error == code)
        }
        let typed = try TestMachine.sign(
            JSONObject(), machine.signing, type: "platformsso-login-request+jwt")
        let answer = try await machine.register { $0["signing_key_proof"] = .string(typed) }
        #expect(answer.error == "type_mismatch")
    }

    @Test("a nonce registers once, for five minutes, and in its own project")
    func nonces() async throws {
        let house = try await DeviceHouse()
        let token = try await house.registrationToken(uses: 5)
        func attempt(_ nonce: String) async throws -> String? {
            let machine = try TestMachine(house, serial: "S\(nonce.suffix(4))")
            return try await machine.register(nonce: nonce) {
                $0["registration_token"] = .string(token)
            }.error
        }
        let nonce = try await house.nonce()
        #expect(try await attempt(nonce) == nil)
        #expect(try await attempt(nonce) == "server_nonce_refused")
        let old = try await house.nonce()
        house.clock.advance(by: .minutes(5))
        #expect(try await attempt(old) == "server_nonce_refused")
        try await house.apply("", project: "qa")
        let foreign = try await house.nonce(at: "/p/qa/platform-sso/nonce")
        #expect(try await attempt(foreign) == "server_nonce_refused")
        #expect(try await attempt("AAAA") == "server_nonce_refused")
    }

    @Test(
        "Attack 88: registrations of unknown devices without a right leave no mark of their nonces")
    func marks() async throws {
        let house = try await DeviceHouse()
        let spent = try await house.registrationToken()
        _ = try await TestMachine(house, serial: "C03").register {
            $0["registration_token"] = .string(spent)
        }
        func marks() async throws -> Int? {
            try await house.provider.store.maintenance.status().rows["used_marks"]
        }
        let before = try await marks()
        for token in [spent, "invented", nil] {
            let machine = try TestMachine(house)
            let answer = try await machine.register(bearer: token == nil ? "invented" : nil) {
                $0["registration_token"] = token.map(JSONValue.string)
            }
            #expect(answer.error == "registration_refused")
        }
        #expect(try await marks() == before)
        // With a right the nonce is consumed, whatever comes of the registration.
        let nonce = try await house.nonce()
        let token = try await house.registrationToken(serial: "C04", uses: 2)
        for code in ["registration_refused", "server_nonce_refused"] {
            let answer = try await TestMachine(house).register(nonce: nonce) {
                $0["registration_token"] = .string(token)
            }
            #expect(answer.error == code)
        }
    }

    @Test("without token and person nothing is registered, nor with ones that are not good")
    func entitlement() async throws {
        let house = try await DeviceHouse()
        let machine = try TestMachine(house)
        #expect(try await machine.register().error == "registration_refused")
        let spent = try await house.registrationToken()
        _ = try await TestMachine(house, serial: "C03").register {
            $0["registration_token"] = .string(spent)
        }
        let over = try await house.registrationToken(lifetime: .minutes(1))
        house.clock.advance(by: .minutes(1))
        let others = try await house.registrationToken(serial: "C09")
        for token in ["grt_guess", spent, over, others] {
            let answer = try await machine.register { $0["registration_token"] = .string(token) }
            #expect(answer.error == "registration_refused")
        }
    }

    @Test("people register machines only where the project says so, by a fresh sign-in for it")
    func people() async throws {
        let house = try await DeviceHouse()
        let machine = try TestMachine(house)
        // The client is created at the first request in its name, before any device is registered.
        let asked = try await house.form(
            "/device_authorization",
            [("client_id", "platform-sso"), ("scope", "urn:apple:platformsso")])
        #expect(asked.status == 200)
        let anna = try await house.person("anna")
        let bearer = try await house.accessToken(of: anna)
        #expect(try await machine.register(bearer: bearer).error == "registration_refused")
        try await house.apply(#""registration_by_people":true"#)
        house.provider.tenants.invalidate()
        let narrow = try await house.accessToken(of: anna, scope: "openid")
        let apps = try await house.accessToken(of: anna, client: "gatehouse-cli")
        for wrong in [narrow, apps, "nonsense"] {
            #expect(try await machine.register(bearer: wrong).error == "registration_refused")
        }
        #expect(try await machine.register(bearer: bearer).status == 201)
        let device = try await stored(house).first { $0.facts.serial == "C02" }
        #expect(device?.registeredBy == anna.id)
        house.clock.advance(by: .minutes(16))
        let late = try TestMachine(house, serial: "C04")
        #expect(try await late.register(bearer: bearer).error == "fresh_sign_in_needed")
        // Only the person who registered it may do so again after it was wiped.
        let wiped = try TestMachine(house)
        let bea = try await house.accessToken(of: try await house.person("bea"))
        #expect(try await wiped.register(bearer: bea).error == "device_taken")
        let again = try await house.accessToken(of: anna)
        #expect(try await wiped.register(bearer: again).status == 201)
    }

    @Test("Attack 70: a token for another resource registers no machine, not even its own client's")
    func audience() async throws {
        let house = try await DeviceHouse(#""registration_by_people":true"#)
        let machine = try TestMachine(house)
        _ = try await house.form(
            "/device_authorization",
            [("client_id", "platform-sso"), ("scope", "urn:apple:platformsso")])
        var client = try #require(
            try await house.provider.store.clients.client(
                clientID: "platform-sso", in: try await house.tenant().project.id))
        client.metadata.audience = "https://api.example"
        #expect(try await house.provider.store.clients.save(client, now: house.clock.now))
        house.provider.clients.invalidate()
        let anna = try await house.person("anna")
        let other = try await house.accessToken(of: anna, audience: "https://api.example")
        #expect(try await machine.register(bearer: other).error == "registration_refused")
        #expect(try await stored(house).isEmpty)
        let own = try await house.accessToken(of: anna)
        #expect(try await machine.register(bearer: own).status == 201)
    }

    @Test("a device rotates its keys with the old one; its serial number cannot be taken")
    func rotation() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let token = try await machine.signedIn()
        var rotated = machine
        rotated.signing = try TestMachine.pair()
        rotated.encryption = try TestMachine.pair()
        let open = try await house.registrationToken()
        #expect(
            try await rotated.register { $0["registration_token"] = .string(open) }.error
                == "device_taken")
        let nonce = try await house.nonce()
        let proof = try rotated.proof(machine.signing, nonce)
        let stranger = try rotated.proof(try TestMachine.pair(), nonce)
        #expect(
            try await rotated.register(nonce: nonce) {
                $0["previous_key_proof"] = .string(stranger)
            }.error == "device_unknown")
        #expect(
            try await rotated.register { $0["previous_key_proof"] = .string(proof) }.error
                == "server_nonce_mismatch")
        let fresh = try await house.nonce()
        let good = try rotated.proof(machine.signing, fresh)
        #expect(
            try await rotated.register(nonce: fresh) {
                $0["previous_key_proof"] = .string(good)
            }.status == 201)
        // An attacker with the old key can no longer take over the device.
        var thief = machine
        thief.signing = try TestMachine.pair()
        thief.encryption = try TestMachine.pair()
        let late = try await house.nonce()
        let stolen = try thief.proof(machine.signing, late)
        #expect(
            try await thief.register(nonce: late) {
                $0["previous_key_proof"] = .string(stolen)
            }.error == "device_unknown")
        // Both keys work for a while, and what was given stays.
        #expect(try await machine.login().status == 200)
        #expect(try await rotated.login().status == 200)
        #expect(try await rotated.refresh(token).0.status == 200)
        house.clock.advance(by: .hours(24))
        #expect(try await machine.login().error == "device_unknown")
        #expect(try await rotated.login().status == 200)
        // An old key cannot come back as a new one.
        let back = try await house.registrationToken(serial: "C02")
        #expect(
            try await machine.register { $0["registration_token"] = .string(back) }.error
                == "key_taken")
    }

    @Test(
        "The same machine, asked for several times at once, is registered each time: once, by one use",
        arguments: ["C02", ""])
    func twins(serial: String) async throws {
        let house = try await DeviceHouse()
        let machine = try TestMachine(house, serial: serial)
        let token = try await house.registrationToken()
        var bodies: [[UInt8]] = []
        for _ in 0..<8 {
            var body = try await machine.body()
            if serial.isEmpty { body["serial_number"] = nil }
            body["registration_token"] = .string(token)
            bodies.append(body.bytes)
        }
        let answers = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            for body in bodies {
                group.addTask {
                    let answer = try await house.send(
                        .post, "/platform-sso/devices", type: "application/json", body: body)
                    return (answer.status, answer.json["device_id"]?.string)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.map(\.0) == Array(repeating: 201, count: 8))
        #expect(Set(answers.map(\.1)).count == 1)
        #expect(try await stored(house).count == 1)
        // Another machine gets nothing by it.
        let other = try TestMachine(house, serial: "C03")
        #expect(
            try await other.register { $0["registration_token"] = .string(token) }.error
                == "registration_refused")
    }

    @Test("where Platform SSO is off there is none")
    func closed() async throws {
        let house = try await DeviceHouse()
        let state = try StateParser.parse(
            JSONParser.parse(
                Array(#"{"projects":[{"name":"off"}]}"#.utf8), maximumBytes: 1000))
        _ = try await StateReconciler(house.provider).apply(state, facts: house.facts).get()
        for path in ["nonce", "token", "refresh", "key", "devices", "users", "unregister"] {
            let answer = try await house.form(
                "/p/off/platform-sso/\(path)", [("grant_type", "srv_challenge")])
            #expect(answer.status == 404)
        }
        #expect(try await house.send(.get, "/p/off/platform-sso/jwks").status == 404)
    }

    @Test("every registration has its event, unauthenticated refusals are counted")
    func audit() async throws {
        let house = try await DeviceHouse()
        _ = try await TestMachine.registered(in: house)
        for _ in 0..<3 { _ = try await TestMachine(house, serial: "C03").register() }
        await house.provider.audit.flush()
        var filter = AuditFilter()
        filter.action = "device.registration"
        let events = try await house.provider.store.auditLog.auditEvents(
            filter, before: nil, limit: 10)
        #expect(events.count { $0.outcome == .accepted } == 1)
        let refused = events.filter { $0.outcome == .refused }
        #expect(refused.map(\.count) == [3])
        #expect(refused.first?.code == "registration_refused")
    }
}
