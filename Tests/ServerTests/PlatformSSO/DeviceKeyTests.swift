// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Keys that take each other's place: the provider's, and those of machines.
@Suite struct DeviceKeyTests {
    private func encrypted(
        _ machine: TestMachine, to key: PublicJWK
    ) async throws -> DeviceHouse.Answer {
        let context = try await machine.context(encryptingTo: key)
        let draft = try context.login(
            .password(Secret(DeviceHouse.password)), random: machine.house.random)
        return try await machine.house.post(try machine.signed(draft))
    }

    private func published(_ house: DeviceHouse) async throws -> PublicJWK {
        let set = try JWKSet(bytes: try await house.send(.get, "/platform-sso/jwks").body)
        let keys = set.keys.filter { $0.parameters.use == "enc" }
        #expect(keys.count == 1)
        return try #require(keys.first?.publicKey)
    }

    @Test(
        "an encryption key rotates: the new one is published, the old one opens until it is retired"
    )
    func encryption() async throws {
        let house = try await DeviceHouse(#""encrypted_password":true"#)
        let machine = try await TestMachine.registered(in: house)
        let old = try await published(house)
        #expect(try await encrypted(machine, to: old).status == 200)
        let tenant = try await house.tenant()
        #expect(try await house.provider.encryptionKeys.rotate(of: tenant))
        let new = try await published(house)
        #expect(new.material != old.material)
        #expect(try await encrypted(machine, to: old).status == 200)
        #expect(try await encrypted(machine, to: new).status == 200)
        // A machine that registers learns of the new one, and proves its own key with it.
        let late = try TestMachine(house, serial: "C03")
        let token = try await house.registrationToken()
        let answer = try await late.register { $0["registration_token"] = .string(token) }
        #expect(
            answer.json["login_request_encryption_key"]?["kid"]?.string == new.keyID)
        let retiring = try #require(
            try await house.provider.store.encryptionKeys.encryptionKeys(of: tenant.project.id)
                .first { $0.state == .retiring })
        #expect(try await house.provider.encryptionKeys.retire(retiring.id, of: tenant))
        #expect(try await encrypted(machine, to: old).error == "decryption_failed")
        #expect(try await encrypted(machine, to: new).status == 200)
    }

    @Test("a key that another process has just made opens here too")
    func otherProcess() async throws {
        let house = try await DeviceHouse()
        let other = try await DeviceHouse(store: house.provider.store)
        let machine = try await TestMachine.registered(in: house)
        let old = try await published(other)
        #expect(try await house.provider.encryptionKeys.rotate(of: house.tenant()))
        let new = try await published(house)
        // What the other keeps in mind is a little older.
        #expect(try await published(other).material == old.material)
        let context = try await machine.context(encryptingTo: new)
        let draft = try context.login(
            .password(Secret(DeviceHouse.password)), random: house.random)
        #expect(try await other.post(try machine.signed(draft)).status == 200)
    }

    @Test("the key in use cannot be retired, nor one of another project")
    func retire() async throws {
        let house = try await DeviceHouse()
        let tenant = try await house.tenant()
        _ = try await house.provider.encryptionKeys.current(of: tenant)
        let active = try #require(
            try await house.provider.store.encryptionKeys.encryptionKeys(of: tenant.project.id)
                .first)
        #expect(try await !house.provider.encryptionKeys.retire(active.id, of: tenant))
        try await house.apply("", project: "qa")
        let other = try #require(try await house.provider.tenant(named: "qa"))
        #expect(try await !house.provider.encryptionKeys.retire(active.id, of: other))
    }

    @Test("one key of a device rotates alone, and responses go to either during the rotation")
    func encryptionOfMachine() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        var rotated = machine
        rotated.encryption = try TestMachine.pair()
        // Its signing key is known: that is proof enough.
        #expect(try await rotated.register().status == 201)
        #expect(try await machine.login().status == 200)
        #expect(try await rotated.login().status == 200)
        house.clock.advance(by: .hours(24))
        #expect(try await machine.login().error == "apv_key_mismatch")
        #expect(try await rotated.login().status == 200)
    }

    /// Registers `machine` with the proof of an older key.
    private func renew(
        _ machine: TestMachine, by key: PrivateJWK, _ change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> DeviceHouse.Answer {
        let nonce = try await machine.house.nonce()
        let proof = try machine.proof(key, nonce)
        return try await machine.register(nonce: nonce) { body in
            body["previous_key_proof"] = .string(proof)
            change(&body)
        }
    }

    @Test("keys of one person become the machine's: what was given stays, the old keys end")
    func migration() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house) { $0["shared_keys"] = false }
        let token = try await machine.signedIn()
        #expect(try await machine.login("bea").error == "user_mismatch")
        var shared = machine
        shared.signing = try TestMachine.pair()
        shared.encryption = try TestMachine.pair()
        #expect(try await renew(shared, by: machine.signing).status == 201)
        #expect(try await machine.login().error == "device_unknown")
        #expect(try await shared.refresh(token).0.status == 200)
        #expect(try await shared.login("bea").status == 200)
        // The reverse is refused.
        var back = shared
        back.signing = try TestMachine.pair()
        back.encryption = try TestMachine.pair()
        let answer = try await renew(back, by: shared.signing) { $0["shared_keys"] = false }
        #expect(answer.error == "device_taken")
        #expect(answer.json["error_description"]?.string?.contains("shared") == true)
    }

    @Test("a key whose machine says another serial number now is told that, and changes nothing")
    func anotherSerial() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        var renamed = machine
        renamed.serial = "C09"
        // By the key that it has, and by one that is to take its place.
        var rotated = renamed
        rotated.signing = try TestMachine.pair()
        rotated.encryption = try TestMachine.pair()
        for answer in [try await renamed.register(), try await renew(rotated, by: machine.signing)]
        {
            #expect(answer.status == 400)
            #expect(answer.error == "device_taken")
            let words = try #require(answer.json["error_description"]?.string)
            #expect(words.contains("another serial number") && !words.contains("is registered"))
        }
        let device = try #require(
            try await house.provider.store.devices.devices(
                of: try await house.tenant().project.id, after: nil, limit: 2
            ).last)
        #expect(device.facts.serial == "C02")
        #expect(try await machine.login().status == 200)
        #expect(try await rotated.login().error == "device_unknown")
    }

    @Test("A replaced key signs people in for a day, and registers no key")
    func oldKeyOfMachine() async throws {
        let house = try await DeviceHouse()
        let machine = try await TestMachine.registered(in: house)
        var rotated = machine
        rotated.signing = try TestMachine.pair()
        #expect(try await renew(rotated, by: machine.signing).status == 201)
        // An attacker with the old key who signs Anna in with her password once would otherwise
        // have a permanent key.
        let token = try await machine.signedIn()
        let key = try TestMachine.pair()
        let refused = try await machine.registerKey(key, token: token)
        #expect(refused.status == 400)
        #expect(refused.error == "device_unknown")
        #expect(try await rotated.login(key: key).status == 401)
        #expect(try await rotated.registerKey(key, token: token).status == 201)
        #expect(try await rotated.login(key: key).status == 200)
        // What is under way is not cut off: the person's key, on either of the machine's.
        #expect(try await machine.login(key: key).status == 200)
    }

    @Test(
        "a person's keys take no machine's place: not another's, and not this one's when it has keys"
    )
    func migrationRefusals() async throws {
        let house = try await DeviceHouse()
        let own = try await TestMachine.registered(in: house) { $0["shared_keys"] = false }
        var elsewhere = try TestMachine(house, serial: "C03")
        #expect(try await renew(elsewhere, by: own.signing).error == "device_taken")
        elsewhere.serial = ""
        #expect(
            try await renew(elsewhere, by: own.signing) { $0["serial_number"] = nil }.error
                == "device_taken")
        _ = try await TestMachine.registered(in: house)
        let thief = try TestMachine(house)
        #expect(try await renew(thief, by: own.signing).error == "device_taken")
    }
}
