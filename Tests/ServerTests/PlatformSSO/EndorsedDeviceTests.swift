// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Crypto
import HTTPTypes
import JOSE
import PlatformSSO
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Registration of machines whose TPM shows by itself that their attestation key is in it.
@Suite struct EndorsedDeviceTests {
    private let voucher: DeviceVoucher
    private let maker: EndorsementAuthority
    private let tpm: EndorsedMachine

    init() throws {
        voucher = try DeviceVoucher()
        maker = try EndorsementAuthority()
        tpm = try EndorsedMachine(maker, attestationKey: voucher.attestationKey)
    }

    private static let path = "/platform-sso/endorsement"

    private func house(_ more: String = "") async throws -> DeviceHouse {
        let root = Base64.encode(try maker.root)
        return try await DeviceHouse(
            #""attestation":["tpm"],"attestation_tpm_endorsement_roots":["\#(root)"]"#
                + (more.isEmpty ? "" : ",\(more)"))
    }

    // MARK: What the machine sends

    private func member(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }

    private func x5c(_ tpm: EndorsedMachine) -> JSONValue {
        .array([.string(Base64.encode(tpm.certificate))])
    }

    private func ask(
        _ house: DeviceHouse, _ nonce: String, of other: EndorsedMachine? = nil,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> DeviceHouse.Answer {
        let tpm = other ?? tpm
        var body = JSONObject([
            .init(name: "nonce", value: .string(nonce)), .init(name: "x5c", value: x5c(tpm)),
            .init(name: "endorsement_area", value: member(tpm.endorsementArea)),
            .init(name: "attestation_area", value: member(tpm.attestationArea)),
        ])
        change(&body)
        return try await house.send(
            .post, Self.path, type: "application/json", body: body.bytes)
    }

    /// What the TPM gives out of an answer.
    private func open(
        _ answer: DeviceHouse.Answer, by other: EndorsedMachine? = nil
    ) throws
        -> [UInt8]
    {
        #expect(answer.status == 200, "\(answer.json.text)")
        func bytes(_ name: String) throws -> [UInt8] {
            try #require(answer.json[name]?.string.flatMap { Base64URL.decode($0) })
        }
        return try (other ?? tpm).open(
            try bytes("credential_blob"), try bytes("encrypted_secret"))
    }

    private func register(
        _ machine: TestMachine, _ nonce: String, secret: [UInt8]?, of other: EndorsedMachine? = nil,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> DeviceHouse.Answer {
        let tpm = other ?? tpm
        var hash = SHA256()
        hash.update(data: Array(nonce.utf8))
        for key in [machine.signing, machine.encryption] {
            hash.update(data: Array(SHA256.hash(data: key.publicKey.x963 ?? [])))
        }
        let point = try #require(machine.signing.publicKey.x963)
        let made = try voucher.tpm(point, challenge: Array(hash.finalize()))
        let key = try PublicJWK(der: voucher.knownKey)
        var evidence = JSONObject([
            .init(name: "format", value: "tpm"), .init(name: "alg", value: -7),
            .init(name: "public_area", value: member(made.publicArea)),
            .init(name: "certify_info", value: member(made.certifyInfo)),
            .init(name: "signature", value: member(made.signature)),
            .init(name: "attestation_key", value: key.json),
        ])
        if let secret {
            evidence["endorsement"] = [
                "x5c": x5c(tpm), "attestation_area": member(tpm.attestationArea),
                "secret": member(secret),
            ]
        }
        change(&evidence)
        let token = try await machine.house.registrationToken()
        return try await machine.register(nonce: nonce) { body in
            body["registration_token"] = .string(token)
            body["attestation"] = .object(evidence)
        }
    }

    private func refused(_ answer: DeviceHouse.Answer, _ code: String) {
        #expect(answer.status == 400 && answer.error == "attestation_refused")
        #expect(
            answer.json["error_description"]?.string?.contains(code) == true, "\(answer.json.text)")
    }

    // MARK: Tests

    @Test("a TPM that opens what was sealed for it registers, and the record says whose it is")
    func registers() async throws {
        let house = try await house()
        let machine = try TestMachine(house)
        let nonce = try await house.nonce()
        let secret = try open(try await ask(house, nonce))
        let answer = try await register(machine, nonce, secret: secret)
        #expect(answer.status == 201, "\(answer.json.text)")
        let text = try #require(answer.json["device_id"]?.string)
        let id = try #require(Identifier<Device>(text))
        let device = try #require(try await house.provider.store.devices.device(id))
        let key = try PublicJWK(der: Array(tpm.endorsementKey.publicKey.derRepresentation))
        #expect(device.attestation.contains(#""endorsement_key":"\#(key.thumbprintText)""#))
        #expect(device.attestation.contains(#""manufacturer":"id:49424D00""#))
        await house.provider.audit.flush()
        var filter = AuditFilter()
        filter.action = "device.registration"
        let events = try await house.provider.store.auditLog.auditEvents(
            filter, before: nil, limit: 10)
        #expect(events.contains { $0.details.contains(key.thumbprintText) })
        // The nonce went with it.
        let again = try TestMachine(house, serial: "C03")
        #expect(
            try await register(again, nonce, secret: secret).error == "server_nonce_refused")
    }

    @Test("without a secret, or with another than was sealed, nothing is registered")
    func otherSecret() async throws {
        let house = try await house()
        let machine = try TestMachine(house)
        refused(
            try await register(machine, try await house.nonce(), secret: nil),
            "activation_missing")
        // Of another moment.
        let old = try open(try await ask(house, try await house.nonce()))
        refused(
            try await register(machine, try await house.nonce(), secret: old),
            "activation_mismatch")
        for secret in [[UInt8](repeating: 0, count: 32), []] {
            let answer = try await register(machine, try await house.nonce(), secret: secret)
            #expect(answer.status == 400)
        }
    }

    @Test("a secret that another TPM or another key opened counts for that one alone")
    func otherTPM() async throws {
        let house = try await house()
        let machine = try TestMachine(house)
        // A real TPM of the same manufacturer, and another attestation key.
        let other = try EndorsedMachine(maker, attestationKey: P256.Signing.PrivateKey())
        let nonce = try await house.nonce()
        let secret = try open(try await ask(house, nonce, of: other), by: other)
        refused(
            try await register(machine, nonce, secret: secret, of: other), "key_mismatch")
        let second = try await house.nonce()
        let theirs = try open(try await ask(house, second, of: other), by: other)
        refused(
            try await register(machine, second, secret: theirs), "activation_mismatch")
        // What names this key, and is sealed for the other TPM, the key's own does not open.
        let third = try await house.nonce()
        let mixed = try await ask(house, third) { body in
            body["x5c"] = x5c(other)
            body["endorsement_area"] = member(other.endorsementArea)
        }
        #expect(mixed.status == 200)
        #expect(throws: EndorsedMachine.Refused.integrity) { try open(mixed) }
        #expect(throws: EndorsedMachine.Refused.integrity) { try open(mixed, by: other) }
    }

    @Test("a TPM of an unlisted manufacturer gets no sealed secret, and is not registered")
    func otherMaker() async throws {
        let house = try await house()
        let machine = try TestMachine(house)
        let stranger = try EndorsedMachine(
            try EndorsementAuthority(), attestationKey: voucher.attestationKey)
        let nonce = try await house.nonce()
        refused(try await ask(house, nonce, of: stranger), "chain_untrusted")
        let secret = try open(try await ask(house, nonce))
        refused(
            try await register(machine, nonce, secret: secret, of: stranger), "chain_untrusted")
    }

    @Test("for a nonce that is not ours, or is too old, nothing is sealed")
    func nonces() async throws {
        let house = try await house()
        #expect(try await ask(house, "nonce").error == "server_nonce_refused")
        let nonce = try await house.nonce()
        house.clock.advance(by: .minutes(6))
        #expect(try await ask(house, nonce).error == "server_nonce_refused")
    }

    @Test("what is missing, or in another form, is refused by name")
    func malformed() async throws {
        let house = try await house()
        let nonce = try await house.nonce()
        let all = ["nonce", "x5c", "endorsement_area", "attestation_area"]
        for name in all {
            #expect(try await ask(house, nonce) { $0[name] = nil }.error == "claim_missing")
            let answer = try await ask(house, nonce) { $0[name] = 5 }
            #expect(
                answer.status == 400
                    && ["claim_malformed", "certificate_malformed"].contains(answer.error),
                "\(name)")
        }
        refused(
            try await ask(house, nonce) { $0["attestation_area"] = "AAAA" }, "evidence_malformed")
        refused(
            try await ask(house, nonce) { $0["endorsement_area"] = "AAAA" }, "evidence_malformed")
        let machine = try TestMachine(house)
        for wrong: JSONValue in ["secret", ["secret": "!"], ["x5c": ["MAA="]]] {
            let answer = try await register(machine, try await house.nonce(), secret: nil) {
                $0["endorsement"] = wrong
            }
            #expect(["claim_malformed", "claim_missing"].contains(answer.error))
        }
    }

    @Test("where endorsement keys count for nothing, nothing is sealed")
    func notAsked() async throws {
        let root = Base64.encode(try maker.root)
        let key = Base64.encode(voucher.knownKey)
        for settings in [
            "", #""attestation":["tpm"],"attestation_tpm_keys":["\#(key)"]"#,
            #""attestation_tpm_endorsement_roots":["\#(root)"]"#,
        ] {
            let house = try await DeviceHouse(settings)
            let answer = try await ask(house, try await house.nonce())
            #expect(answer.status == 400 && answer.error == "endorsement_not_asked")
        }
    }

    @Test("listed keys are accepted as well, and evidence may contain either")
    func beside() async throws {
        let key = Base64.encode(voucher.knownKey)
        let house = try await house(#""attestation_tpm_keys":["\#(key)"]"#)
        let listed = try TestMachine(house)
        #expect(
            try await register(listed, try await house.nonce(), secret: nil).status == 201)
        let endorsed = try TestMachine(house, serial: "C03")
        let nonce = try await house.nonce()
        let secret = try open(try await ask(house, nonce))
        #expect(try await register(endorsed, nonce, secret: secret).status == 201)
        // The list does not replace a correct secret.
        let third = try TestMachine(house, serial: "C04")
        refused(
            try await register(third, try await house.nonce(), secret: secret),
            "activation_mismatch")
    }

    @Test("machines read where to ask only where endorsement keys count for something")
    func discovery() async throws {
        func place(_ house: DeviceHouse) async throws -> String? {
            let answer = try await house.send(.get, "/.well-known/gatehouse")
            let places = answer.json["platform_sso"]
            #expect(places?["device_registration"] != nil)
            return places?["device_endorsement"]?.string
        }
        let house = try await house()
        #expect(try await place(house) == DeviceHouse.issuer + Self.path)
        let other = try await DeviceHouse()
        #expect(try await place(other) == nil)
        // Also when that changes.
        let root = Base64.encode(try maker.root)
        try await other.apply(
            #""attestation":["tpm"],"attestation_tpm_endorsement_roots":["\#(root)"]"#)
        #expect(try await place(other) != nil)
    }
}
