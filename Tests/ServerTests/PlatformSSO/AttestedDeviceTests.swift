// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Crypto
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Registration in a project that requires an attestation of the keys.
@Suite struct AttestedDeviceTests {
    private let voucher: DeviceVoucher

    init() throws { voucher = try DeviceVoucher() }

    private func house(_ formats: String...) async throws -> DeviceHouse {
        let list = formats.map { "\"\($0)\"" }.joined(separator: ",")
        let root = Base64.encode(try voucher.root)
        let key = Base64.encode(voucher.knownKey)
        return try await DeviceHouse(
            #""attestation":[\#(list)],"attestation_apple_roots":["\#(root)"]"#
                + #","attestation_tpm_keys":["\#(key)"]"#)
    }

    /// Returns `clientDataHash`, computed as the documentation describes, without the package's
    /// code.
    private func challenge(
        _ machine: TestMachine, _ nonce: String, of user: PrivateJWK? = nil
    ) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: Array(nonce.utf8))
        for key in [machine.signing, user ?? machine.encryption] {
            hash.update(data: Array(SHA256.hash(data: key.publicKey.x963 ?? [])))
        }
        return Array(hash.finalize())
    }

    private func texts(_ certificates: [[UInt8]]) -> JSONValue {
        .array(certificates.map { .string(Base64.encode($0)) })
    }

    private func apple(
        _ machine: TestMachine, _ nonce: String, serial: String? = nil, udid: String? = nil,
        of other: PrivateJWK? = nil, by maker: DeviceVoucher? = nil, challenge: [UInt8]? = nil
    ) throws -> JSONValue {
        let point = try #require((other ?? machine.signing).publicKey.x963)
        let chain = try (maker ?? voucher).apple(
            point, challenge: challenge ?? self.challenge(machine, nonce), serial: serial,
            udid: udid)
        return ["format": "apple", "signing_key": texts(chain)]
    }

    /// - Parameter user: the person's key, where it is to be attested and not the machine's.
    private func tpm(
        _ machine: TestMachine, _ nonce: String, by maker: DeviceVoucher? = nil,
        of user: PrivateJWK? = nil, _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> JSONValue {
        let point = try #require((user ?? machine.signing).publicKey.x963)
        let maker = maker ?? voucher
        let made = try maker.tpm(point, challenge: challenge(machine, nonce, of: user))
        let key = try PublicJWK(der: maker.knownKey)
        var object = JSONObject([
            .init(name: "format", value: "tpm"), .init(name: "alg", value: -7),
            .init(name: "public_area", value: .string(Base64URL.encode(made.publicArea))),
            .init(name: "certify_info", value: .string(Base64URL.encode(made.certifyInfo))),
            .init(name: "signature", value: .string(Base64URL.encode(made.signature))),
            .init(name: "attestation_key", value: key.json),
        ])
        change(&object)
        return .object(object)
    }

    private func register(
        _ machine: TestMachine, token: String? = nil, proof: PrivateJWK? = nil,
        serial: String? = nil, _ evidence: (String) throws -> JSONValue?
    ) async throws -> DeviceHouse.Answer {
        let house = machine.house
        let token = if let token { token } else { try await house.registrationToken() }
        let nonce = try await house.nonce()
        return try await machine.register(nonce: nonce) { body in
            body["registration_token"] = .string(token)
            body["attestation"] = try evidence(nonce)
            if let serial { body["serial_number"] = .string(serial) }
            if let proof {
                body["registration_token"] = nil
                body["previous_key_proof"] = .string(try machine.proof(proof, nonce))
            }
        }
    }

    private func device(_ answer: DeviceHouse.Answer, _ house: DeviceHouse) async throws -> Device {
        #expect(answer.status == 201, "\(answer.json.text)")
        let text = try #require(answer.json["device_id"]?.string)
        let id = try #require(Identifier<Device>(text))
        return try #require(try await house.provider.store.devices.device(id))
    }

    @Test("a managed Apple device registers, and the record contains the verified attestation")
    func appleDevice() async throws {
        let house = try await house("apple")
        let machine = try TestMachine(house)
        let answer = try await register(machine) {
            try apple(machine, $0, serial: "C02", udid: "0000-1")
        }
        let device = try await device(answer, house)
        #expect(device.attestation.contains(#""format":"apple""#))
        #expect(device.attestation.contains(#""serial_number":"C02""#))
        // What the machine left out is known now.
        #expect(device.facts.udid == "0000-1")
    }

    @Test("a TPM with a known attestation key attests a Linux device")
    func tpmDevice() async throws {
        let house = try await house("apple", "tpm")
        let machine = try TestMachine(house)
        let device = try await device(
            try await register(machine) { try tpm(machine, $0) }, house)
        #expect(device.attestation.contains(#""format":"tpm""#))
        #expect(device.attestation.contains(#""attestation_key":""#))
    }

    @Test(
        "Attack 75: an attested user key earns phr; evidence of another key is refused"
    )
    func userKey() async throws {
        let house = try await house("apple")
        let machine = try TestMachine(house)
        _ = try await device(
            try await register(machine) { try apple(machine, $0, serial: "C02") }, house)
        let (key, other) = (try TestMachine.pair(), try TestMachine.pair())
        func evidence(_ nonce: String, of key: PrivateJWK, serial: String) throws -> JSONValue {
            let chain = try voucher.apple(
                try #require(key.publicKey.x963), challenge: challenge(machine, nonce, of: key),
                serial: serial, udid: nil)
            return ["format": "apple", "user_key": texts(chain)]
        }
        for (attested, serial) in [(other, "C02"), (key, "C99")] {
            let (nonce, token) = (try await house.nonce(), try await machine.signedIn())
            let refused = try await machine.registerKey(
                key, token: token, nonce: nonce,
                attestation: try evidence(nonce, of: attested, serial: serial))
            #expect(refused.error == "attestation_refused")
        }
        let nonce = try await house.nonce()
        let answer = try await machine.registerKey(
            key, token: try await machine.signedIn(), nonce: nonce,
            attestation: try evidence(nonce, of: key, serial: "c 02"))
        #expect(answer.status == 201, "\(answer.json.text)")
        let worth = try await DeviceFindingsTests().claims(
            of: machine, signingInWith: key, house)["acr"]?.string
        #expect(worth == "phr")
    }

    @Test(
        "Attack 75: a TPM attests a user key; evidence for the device's key or by another TPM is refused"
    )
    func userKeyInTPM() async throws {
        let house = try await house("tpm")
        let machine = try TestMachine(house)
        _ = try await device(try await register(machine) { try tpm(machine, $0) }, house)
        let key = try TestMachine.pair()
        let stranger = try DeviceVoucher()
        func answer(
            _ evidence: (String) throws -> JSONValue
        ) async throws -> DeviceHouse.Answer {
            let nonce = try await house.nonce()
            return try await machine.registerKey(
                key, token: try await machine.signedIn(), nonce: nonce,
                attestation: try evidence(nonce))
        }
        for evidence: (String) throws -> JSONValue in [
            { try tpm(machine, $0) }, { try tpm(machine, $0, by: stranger, of: key) },
            { _ in try tpm(machine, "another nonce", of: key) },
        ] { #expect(try await answer(evidence).error == "attestation_refused") }
        let good = try await answer { try tpm(machine, $0, of: key) }
        #expect(good.status == 201, "\(good.json.text)")
        let worth = try await DeviceFindingsTests().claims(
            of: machine, signingInWith: key, house)["acr"]?.string
        #expect(worth == "phr")
    }

    @Test("Attack 75: evidence for a user key in a format that the project does not list")
    func userKeyOfOtherFormat() async throws {
        for house in [try await house("apple"), try await DeviceHouse()] {
            let machine = try TestMachine(house)
            _ = try await device(
                try await register(machine) { try apple(machine, $0, serial: "C02") }, house)
            let (key, nonce) = (try TestMachine.pair(), try await house.nonce())
            let answer = try await machine.registerKey(
                key, token: try await machine.signedIn(), nonce: nonce,
                attestation: try tpm(machine, nonce, of: key))
            #expect(answer.status == 400 && answer.error == "attestation_refused")
            let text = answer.json["error_description"]?.string ?? ""
            #expect(text.contains("setting attestation"), "\(text)")
        }
    }

    @Test("Attack 75: a user key with an unknown registration proof is worth a password")
    func userKeyOfUnknownWorth() async throws {
        let house = try await DeviceHouse()
        let machine = try TestMachine(house)
        let device = try await device(try await register(machine) { _ in nil }, house)
        let (anna, key) = (try await house.person("anna"), try TestMachine.pair())
        // As a version that did not record it has left one.
        let user = DeviceUser(
            project: device.project, device: device.id, person: anna.id, method: .userKey,
            loginName: "anna", registeredAt: house.clock.now)
        let stored = DeviceKey(
            kid: KeyIdentifier(key.publicKey).digest, project: device.project, device: device.id,
            person: anna.id, use: .user, publicJWK: key.publicKey.json.text,
            createdAt: house.clock.now)
        #expect(stored.contextClass == nil)
        let outcome = try await house.provider.store.devices.register(
            user, key: stored, now: house.clock.now)
        guard case .done = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let worth = try await DeviceFindingsTests().claims(
            of: machine, signingInWith: key, house)["acr"]?.string
        #expect(worth == "urn:gatehouse:acr:password")
    }

    @Test("without evidence, or with another kind than is asked for, nothing is registered")
    func missing() async throws {
        let house = try await house("apple")
        let machine = try TestMachine(house)
        #expect(try await register(machine) { _ in nil }.error == "attestation_missing")
        #expect(
            try await register(machine) { try tpm(machine, $0) }.error == "attestation_missing")
        for wrong: JSONValue in [
            "apple", ["format": "face"], ["format": "apple"],
            ["format": "apple", "signing_key": []], ["format": "tpm", "alg": "ES256"],
            ["format": "tpm", "alg": -7, "public_area": "!"],
        ] {
            let answer = try await register(machine) { _ in wrong }
            #expect(answer.status == 400)
            #expect(
                ["claim_malformed", "claim_missing", "certificate_malformed"]
                    .contains(answer.error))
        }
    }

    @Test("evidence for another key, moment or device, or by an unknown party, is refused by name")
    func refusals() async throws {
        let house = try await house("apple", "tpm")
        let machine = try TestMachine(house)
        let other = try TestMachine.pair()
        let stranger = try DeviceVoucher()
        let cases: [(String, (String) throws -> JSONValue?)] = [
            ("key_mismatch", { try apple(machine, $0, of: other) }),
            ("challenge_mismatch", { _ in try apple(machine, "another nonce") }),
            (
                "challenge_mismatch",
                { try apple(machine, $0, challenge: Array(SHA256.hash(data: Array($0.utf8)))) }
            ),
            ("device_identifier_mismatch", { try apple(machine, $0, serial: "C03") }),
            ("chain_untrusted", { try apple(machine, $0, by: stranger) }),
            ("chain_untrusted", { try tpm(machine, $0, by: stranger) }),
            ("challenge_mismatch", { _ in try tpm(machine, "another nonce") }),
            (
                "signature_invalid",
                { try tpm(machine, $0) { $0["signature"] = "AAAA" } }
            ),
            (
                "evidence_malformed",
                { try tpm(machine, $0) { $0["public_area"] = "AAAA" } }
            ),
        ]
        for (code, evidence) in cases {
            let answer = try await register(machine, evidence)
            #expect(answer.status == 400 && answer.error == "attestation_refused")
            #expect(answer.json["error_description"]?.string?.contains(code) == true)
        }
    }

    @Test("an encryption key that comes with evidence must be the one in it")
    func encryptionKey() async throws {
        let house = try await house("apple")
        let machine = try TestMachine(house)
        func evidence(_ nonce: String, of key: PrivateJWK) throws -> JSONValue {
            var object = try #require(try apple(machine, nonce).object)
            object["encryption_key"] = try apple(machine, nonce, of: key)["signing_key"]
            return .object(object)
        }
        let wrong = try await register(machine) { try evidence($0, of: machine.signing) }
        #expect(wrong.error == "attestation_refused")
        let device = try await device(
            try await register(machine) { try evidence($0, of: machine.encryption) }, house)
        #expect(device.attestation.contains(#""encryption_key":true"#))
    }

    @Test("a device with an attested serial number renews its record with an open token")
    func wiped() async throws {
        let house = try await house("apple")
        let machine = try TestMachine(house)
        let first = try await device(
            try await register(machine) { try apple(machine, $0, serial: "C02") }, house)
        // The device's unverified statement is not sufficient.
        let thief = try TestMachine(house)
        #expect(try await register(thief) { try apple(thief, $0) }.error == "device_taken")
        #expect(
            try await register(thief) { try apple(thief, $0, udid: "0000-2") }.error
                == "device_taken")
        let wiped = try TestMachine(house)
        let again = try await device(
            try await register(wiped) { try apple(wiped, $0, serial: "C02") }, house)
        #expect(again.id == first.id)
        #expect(try await machine.login().error == "device_unknown")
        #expect(try await wiped.login().status == 200)
    }

    @Test("new keys need new evidence, also when the old key asks for them")
    func rotation() async throws {
        let house = try await house("apple")
        let machine = try TestMachine(house)
        _ = try await device(try await register(machine) { try apple(machine, $0) }, house)
        var rotated = machine
        rotated.signing = try TestMachine.pair()
        #expect(
            try await register(rotated, proof: machine.signing) { _ in nil }.error
                == "attestation_missing")
        let answer = try await register(rotated, proof: machine.signing) {
            try apple(rotated, $0)
        }
        #expect(answer.status == 201)
    }

    @Test("where nothing is demanded, evidence is not looked at")
    func voluntary() async throws {
        let house = try await DeviceHouse()
        let machine = try TestMachine(house)
        let device = try await device(
            try await register(machine) { try apple(machine, $0, serial: "C09") }, house)
        #expect(device.attestation == "{}" && device.facts.serial == "C02")
    }
}
