// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import JOSE
import Primitives
import Support
import Testing

@Suite("inspect attestation")
struct InspectionTests {
    private static func text(_ bytes: some Collection<UInt8>) -> JSONValue {
        .string(Base64URL.encode(bytes))
    }

    private static func texts(_ items: [[UInt8]]) -> JSONValue { .array(items.map { text($0) }) }

    private static func verdict(_ input: JSONValue) async -> AttestationInspection.Verdict {
        await AttestationInspection.verdict(for: input, clock: ManualClock(now))
    }

    /// The code of a refusal, `bad_input`, or `nil`.
    private static func code(_ input: JSONValue) async -> String? {
        switch await verdict(input) {
        case .accepted: nil
        case .refused(let refusal): refusal.code.rawValue
        case .badInput: "bad_input"
        }
    }

    private static func value(_ input: JSONValue) async throws -> JSONValue {
        guard case .accepted(let value) = await verdict(input) else {
            throw AttestationRefusal(.evidenceMalformed, "\(await verdict(input))")
        }
        return value
    }

    private static func changing(
        _ input: JSONValue, _ name: String, _ value: JSONValue?
    ) -> JSONValue {
        guard case .object(var object) = input else { return input }
        object[name] = value
        return .object(object)
    }

    // MARK: Inputs

    private static func appAttest() throws -> JSONValue {
        let made = try AppAttestation()
        return [
            "format": "apple-app-attest", "attestation": text(try made.attestation()),
            "keyId": text(made.keyHash), "challenge": text(challenge),
            "applications": [.string(AppAttestation.application)], "environment": "development",
            "roots": texts([try made.authority.root.der]),
            "receiptRoots": texts([try made.authority.root.der]),
        ]
    }

    private static func androidKey() throws -> JSONValue {
        let made = try AndroidAttestation()
        return [
            "format": "android-key", "certificates": texts(try made.path()),
            "challenge": text(challenge), "publicKey": try made.key.publicKey.jwk.json,
            "applications": [
                [
                    "packageName": .string(AndroidAttestation.application),
                    "fingerprints": [text(AndroidAttestation.fingerprint)],
                ]
            ],
            "roots": texts([Array(made.authority.root.key.publicKey.derRepresentation)]),
            "revocationList": ["entries": [:]],
        ]
    }

    private static func assertion() throws -> (JSONValue, P256.Signing.PrivateKey) {
        let key = P256.Signing.PrivateKey()
        let data =
            Array(SHA256.hash(data: Array(AppAttestation.application.utf8))) + [0, 0, 0, 0, 1]
        let hash = Array(SHA256.hash(data: challenge))
        let signature = try key.signature(for: Array(SHA256.hash(data: data + hash)))
        let bytes: [UInt8] =
            [0xA2, 0x69] + Array("signature".utf8) + [
                0x58, UInt8(signature.derRepresentation.count),
            ]
            + Array(signature.derRepresentation) + [0x71] + Array("authenticatorData".utf8)
            + [0x58, 37] + data
        return (
            [
                "format": "apple-app-attest-assertion", "assertion": text(bytes),
                "clientData": text(challenge), "challenge": text(challenge), "counter": 0,
                "applications": [.string(AppAttestation.application)],
                "publicKey": try key.publicKey.jwk.json,
            ], key
        )
    }

    // MARK: Accepted

    @Test("An App Attest attestation is accepted with its key and receipt")
    func acceptsAppAttest() async throws {
        let value = try await Self.value(try Self.appAttest())
        #expect(value["environment"] == "development")
        #expect(value["publicKey"]?["kty"] == "EC")
        #expect(value["receipt"]?["type"] == "ATTEST")
        #expect(value["receipt"]?["riskMetric"] == .null)
    }

    @Test("An App Attest assertion is accepted with its counter")
    func acceptsAssertion() async throws {
        let value = try await Self.value(try Self.assertion().0)
        #expect(value["counter"] == 1)
    }

    @Test("An Android key is accepted with what the hardware says")
    func acceptsAndroidKey() async throws {
        let value = try await Self.value(try Self.androidKey())
        #expect(value["level"] == "trustedEnvironment")
        #expect(value["bootState"] == "verified")
        #expect(value["deviceLocked"] == true)
        #expect(value["osPatchLevel"] == 202_511)
        #expect(value["userAuthenticationType"] == .null)
    }

    // MARK: Refused

    @Test("Refusals have the codes of the verifiers")
    func refuses() async throws {
        let apple = try Self.appAttest()
        let checks: [(JSONValue, String, JSONValue?, String)] = [
            (apple, "roots", nil, "chain_untrusted"),
            (apple, "receiptRoots", nil, "receipt_untrusted"),
            (apple, "challenge", "AAAA", "challenge_mismatch"),
            (apple, "keyId", "AAAA", "key_identifier_mismatch"),
            (apple, "applications", ["a.b"], "application_mismatch"),
            (apple, "environment", "production", "environment_mismatch"),
            (apple, "attestation", "AAAA", "evidence_malformed"),
            (apple, "now", 1_900_000_001, "chain_untrusted"),
            (try Self.assertion().0, "counter", 1, "counter_not_increased"),
            (try Self.assertion().0, "assertion", "AAAA", "evidence_malformed"),
            (try Self.assertion().0, "challengeMember", "challenge", "challenge_mismatch"),
            (try Self.androidKey(), "revocationList", nil, "revocation_unknown"),
            (try Self.androidKey(), "minimumLevel", "strongBox", "security_level_too_low"),
            (try Self.androidKey(), "minimumBootPatchLevel", 20_270_101, "patch_level_too_old"),
            (try Self.androidKey(), "publicKey", nil, "key_mismatch"),
            (try Self.androidKey(), "certificates", nil, "chain_malformed"),
        ]
        for (input, name, value, expected) in checks {
            let found = await Self.code(Self.changing(input, name, value))
            #expect(found == expected, "\(name)")
        }
    }

    @Test("Play Integrity, Apple devices and TPMs are reached")
    func otherFormats() async throws {
        let key = P256.Signing.PrivateKey()
        let secret = Base64.encode([UInt8](repeating: 1, count: 32))
        let integrity: JSONValue = [
            "format": "play-integrity", "token": "a.b.c.d.e", "challenge": "AAAA",
            "decryptionKey": .string(secret),
            "verificationKey": .string(Base64.encode(Array(key.publicKey.derRepresentation))),
            "applications": [],
        ]
        #expect(await Self.code(integrity) == "evidence_malformed")
        let device: JSONValue = [
            "format": "apple-device", "certificates": [], "challenge": "AAAA",
            "roots": Self.texts([Array(key.publicKey.derRepresentation)]),
            "publicKey": try key.publicKey.jwk.json,
        ]
        #expect(await Self.code(device) == "chain_malformed")
        let tpm: JSONValue = [
            "format": "tpm", "publicArea": "AAAA", "certifyInfo": "AAAA", "signature": "AAAA",
            "algorithm": -7, "challenge": "AAAA", "attestationKeys": [],
            "publicKey": try key.publicKey.jwk.json,
        ]
        #expect(await Self.code(tpm) == "evidence_malformed")
        #expect(await Self.code(Self.changing(tpm, "attestationKeys", nil)) == "bad_input")
        #expect(await Self.code(Self.changing(device, "roots", nil)) == "bad_input")
        #expect(await Self.code(Self.changing(integrity, "decryptionKey", "AAAA")) == "bad_input")
    }

    @Test("An endorsed TPM is explained, and a secret sealed for it")
    func endorsement() async throws {
        let maker = try EndorsementAuthority()
        let (own, attesting) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let area = EndorsementAuthority.endorsementArea(own.publicKey)
        let named = EndorsementAuthority.attestationArea(attesting.publicKey)
        let input: JSONValue = [
            "format": "tpm-endorsement", "certificates": Self.texts([try maker.certify(area)]),
            "attestationArea": .string(Base64URL.encode(named)),
            "roots": Self.texts([try maker.root]), "now": .integer(now.seconds),
        ]
        guard case .accepted(let value) = await Self.verdict(input) else {
            Issue.record("\(await Self.verdict(input))")
            return
        }
        #expect(value["manufacturer"]?.string == "id:49424D00")
        #expect(value["endorsementKey"] == (try own.publicKey.jwk.json))
        #expect(value["attestationKey"] == (try attesting.publicKey.jwk.json))
        #expect(value["credentialBlob"] == nil)
        var sealing = Self.changing(input, "secret", "c2VjcmV0")
        #expect(await Self.code(sealing) == "bad_input")
        sealing = Self.changing(
            sealing, "endorsementArea", .string(Base64URL.encode(area)))
        guard case .accepted(let sealed) = await Self.verdict(sealing) else {
            Issue.record("\(await Self.verdict(sealing))")
            return
        }
        #expect(sealed["credentialBlob"]?.string?.isEmpty == false)
        #expect(sealed["encryptedSecret"]?.string?.isEmpty == false)
        #expect(
            await Self.code(Self.changing(sealing, "endorsementArea", "AAAA"))
                == "evidence_malformed")
        #expect(await Self.code(Self.changing(sealing, "secret", "")) == "bad_input")
        #expect(await Self.code(Self.changing(input, "vendors", [])) == "chain_untrusted")
    }

    // MARK: Not what it reads

    @Test(
        "An input that is none is said to be none",
        arguments: [
            [:], [], "x", .null, ["format": "packed"], ["format": 5],
            ["format": "apple-app-attest"], ["format": "apple-app-attest-assertion"],
            ["format": "android-key"], ["format": "play-integrity"], ["format": "apple-device"],
            ["format": "tpm"], ["format": "tpm-endorsement"],
        ] as [JSONValue])
    func badInput(_ input: JSONValue) async {
        #expect(await Self.code(input) == "bad_input")
    }

    @Test("A member of another form is named")
    func badMember() async throws {
        let (apple, android) = (try Self.appAttest(), try Self.androidKey())
        let wrong: [(JSONValue, String, JSONValue)] = [
            (apple, "attestation", "!"), (apple, "keyId", 5), (apple, "applications", "a"),
            (apple, "environment", "sandbox"), (apple, "roots", ["!"]),
            (apple, "receiptRoots", ["!"]), (apple, "roots", ["AAAA"]),
            (apple, "checksReceipt", 1), (apple, "now", "today"), (apple, "challenge", "!"),
            (android, "publicKey", ["kty": "EC"]),
            (android, "applications", [["packageName": "a"]]),
            (android, "applications", [["packageName": "a", "fingerprints": ["00"]]]),
            (android, "minimumLevel", "best"), (android, "revocation", "maybe"),
            (android, "revocationList", ["entries": 5]), (android, "minimumOSPatchLevel", "x"),
        ]
        for (input, name, value) in wrong {
            let verdict = await Self.verdict(Self.changing(input, name, value))
            guard case .badInput(let reason) = verdict else {
                Issue.record("\(name): \(verdict)")
                continue
            }
            #expect(reason.contains(name), "\(reason)")
        }
    }
}
