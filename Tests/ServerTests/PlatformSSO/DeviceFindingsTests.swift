// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import PlatformSSO
import Primitives
import Storage
import Support
import Testing

/// What a client found that was written from the specification alone.
@Suite struct DeviceFindingsTests {
    @Test(
        "Serial numbers are compared without case and spaces: at a token, and at a machine's place")
    func serials() async throws {
        let house = try await DeviceHouse()
        let token = try await house.registrationToken(serial: "vmware-56 4d a1")
        let machine = try TestMachine(house, serial: "VMware-564D A1")
        #expect(
            try await machine.register { $0["registration_token"] = .string(token) }.status == 201)
        let open = try await house.registrationToken()
        let twin = try TestMachine(house, serial: "vmware-564da1")
        #expect(
            try await twin.register { $0["registration_token"] = .string(open) }.error
                == "device_taken")
        // Its own key renews it, however the number is written.
        var same = machine
        same.serial = " VMWARE-564DA1 "
        #expect(try await same.register().status == 201)
        let other = try await house.registrationToken(serial: "C 09")
        let wrong = try TestMachine(house, serial: "C08")
        #expect(
            try await wrong.register { $0["registration_token"] = .string(other) }.error
                == "registration_refused")
    }

    @Test("A machine with keys of each person is told so")
    func sharing() async throws {
        let house = try await DeviceHouse()
        for (isShared, serial) in [(true, "S1"), (false, "S2")] {
            let token = try await house.registrationToken()
            let answer = try await TestMachine(house, serial: serial).register {
                $0["registration_token"] = .string(token)
                $0["shared_keys"] = .bool(isShared)
            }
            #expect(answer.json["profile"]?["UseSharedDeviceKeys"]?.bool == isShared)
        }
    }

    @Test("A login ends the tokens of the one before on that machine, ten minutes later")
    func earlierTokens() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let elsewhere = try await TestMachine.registered(in: house, serial: "C03")
        let (first, other) = (try await machine.signedIn(), try await elsewhere.signedIn())
        _ = try await machine.signedIn()
        house.clock.advance(by: .minutes(9))
        let (answer, context) = try await machine.refresh(first)
        let renewed = try machine.response(answer, context).refreshToken
        house.clock.advance(by: .minutes(2))
        #expect(try await machine.refresh(renewed).0.error == "refresh_token_refused")
        #expect(try await elsewhere.refresh(other).0.status == 200)
    }

    @Test("Attack 81: a first password signs in on no machine; it is not wrong, and asked later")
    func firstPassword() async throws {
        let house = try await DeviceHouse(anna: #""password_must_change":true"#)
        let machine = try await TestMachine.registered(in: house)
        let answer = try await machine.login()
        #expect(answer.status == 400 && answer.error == "password_change_needed")
        #expect(try await machine.login(password: "wrong").status == 401)
        #expect(try await machine.login("bea").status == 200)
    }

    @Test("A person signs in, registers a key and gets keys by the verified e-mail address")
    func address() async throws {
        let mail = #""email":"anna@example.com","email_verified":true"#
        let house = try await DeviceHouse(#""allowed_methods":["password","user_key"]"#, anna: mail)
        let machine = try await TestMachine.registered(in: house)
        let name = "Anna@Example.com"
        let token = try await machine.signedIn(name)
        let key = try TestMachine.pair()
        let registered = try await machine.registerKey(key, of: name, token: token)
        #expect(registered.status == 201, "\(registered.json.text)")
        #expect(registered.json["login_user_name"] == "anna")
        for name in [name, "anna"] {
            #expect(try await machine.login(name, key: key).status == 200)
        }
        // An address of another person, or of none, is not theirs.
        for name in ["bea@example.com", "bea"] {
            #expect(try await machine.login(name, key: key).status == 401)
            let other = try await machine.registerKey(
                try TestMachine.pair(), of: name, token: machine.signedIn())
            #expect(other.error == "user_mismatch")
        }
        let (answer, _) = try await machine.key(.provision, machine.signedIn(name), name)
        #expect(answer.status == 200, "\(answer.json.text)")
    }

    // MARK: What a user key is worth

    func claims(
        of machine: TestMachine, signingInWith key: PrivateJWK, _ house: DeviceHouse
    ) async throws -> JSONObject {
        let context = try await machine.context()
        let assertion = try context.assertion(key: key.publicKey)
            .signed(by: JOSESigner(key, algorithm: .es256))
        let draft = try context.login(.signedAssertion(assertion), random: house.random)
        let response = try machine.response(
            try await house.post(try machine.signed(draft)), context)
        let body = response.idToken.split(separator: ".")[1]
        return try JSONParser.parseObject(
            try #require(Base64URL.decode(String(body))), maximumBytes: 65_536)
    }

    @Test(
        "Attack 75: a user key earns at most the assurance of its registration")
    func userKey() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        let anna = try await house.person("anna")
        let byPassword = try TestMachine.pair()
        let token = try await machine.signedIn()
        #expect(try await machine.registerKey(byPassword, token: token).status == 201)
        let weak = try await claims(of: machine, signingInWith: byPassword, house)
        #expect(weak["amr"]?.strings == ["pop"])
        #expect(weak["acr"]?.string == ContextClass.password.rawValue)
        // Neither does a key that such a login registers.
        for (worth, expected) in [
            (ContextClass.password, ContextClass.password),
            (.phishingResistant, .phishingResistant),
            // There is no attestation of hardware here, whatever the person's method.
            (.phishingResistantHardware, .phishingResistant),
        ] {
            let key = try TestMachine.pair()
            let bearer = try await house.accessToken(of: anna, contextClass: worth.rawValue)
            #expect(try await machine.registerKey(key, bearer: bearer).status == 201)
            let claims = try await claims(of: machine, signingInWith: key, house)
            #expect(claims["acr"]?.string == expected.rawValue)
        }
    }
}
