// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import JOSE
import Primitives
import Support
import Testing
import gatehouse

/// `inspect cbor`, `inspect webauthn-registration`, `inspect webauthn-assertion`: section 5 of the
/// contract.
@Suite struct InspectWebAuthnTests {
    private static let challenge = Base64URL.encode([UInt8](1...32))
    private static let origin = "https://login.example.org"

    private static func passkey() throws -> SoftwarePasskey {
        try SoftwarePasskey(
            origin: origin, relyingPartyID: "example.org", random: SeededRandom(seed: 3))
    }

    private static func input(_ response: String) throws -> JSONObject {
        var input = JSONObject()
        input["rpId"] = "example.org"
        input["origins"] = [.string(origin)]
        input["challenge"] = .string(challenge)
        input["response"] = try JSONParser.parse(Array(response.utf8), maximumBytes: 65_536)
        return input
    }

    private static func registration() throws -> JSONObject {
        try input(passkey().registration(challenge: challenge))
    }

    @Test("Windows Hello: verified as by the provider, and as the input specifies")
    func windowsHello() async throws {
        #expect(!WindowsHelloVector.all.isEmpty)
        for vector in WindowsHelloVector.all {
            var input: JSONObject = JSONObject()
            input["rpId"] = .string(vector.rpId)
            input["origins"] = [.string(vector.origin)]
            input["challenge"] = .string(vector.challenge)
            input["attestation"] = "direct"
            input["trustAnchors"] = [.string(Base64URL.encode(WindowsHelloVector.root))]
            input["now"] = .integer(vector.now)
            input["response"] = vector.response
            let verdict = await InspectWebAuthnRegistration.verdict(for: .object(input))
            #expect(verdict["value"]?["trust"]?.string == "anchored", "\(vector.name): \(verdict)")
            #expect(verdict["value"]?["format"]?.string == "tpm")
            input["attestationAlgorithms"] = [-7, -257]
            let strict = await InspectWebAuthnRegistration.verdict(for: .object(input))
            #expect(strict["code"]?.string == "attestation_algorithm_not_allowed", "\(strict)")
            input["attestationAlgorithms"] = ["RS1"]
            let wrong = await InspectWebAuthnRegistration.verdict(for: .object(input))
            #expect(wrong["code"]?.string == Verdict.badInputCode)
        }
    }

    @Test("CBOR prints as diagnostic notation; without a profile all of RFC 8949 is read")
    func cbor() {
        let loose = InspectCBOR.verdict(for: ["cbor": "nwH_"])
        #expect(loose["value"]?["diagnostic"]?.string == "[_ 1]")
        let strict = InspectCBOR.verdict(for: ["cbor": "nwH_", "profile": "ctap2"])
        #expect(strict["verdict"]?.string == "refused")
        #expect(strict["code"]?.string == "indefinite_length")
    }

    @Test(
        "Input that is not CBOR's is bad input, not a refusal",
        arguments: [
            [:], ["cbor": 1], ["cbor": "AA=="], ["cbor": "AA", "profile": "ctap3"],
            ["cbor": "AA", "profile": 1],
        ] as [JSONValue])
    func badCBOR(_ input: JSONValue) {
        #expect(InspectCBOR.verdict(for: input)["code"]?.string == Verdict.badInputCode)
    }

    @Test("A registration is accepted with everything that is to be stored, and signs in")
    func ceremony() async throws {
        let verdict = await InspectWebAuthnRegistration.verdict(
            for: .object(try Self.registration()))
        #expect(verdict["verdict"]?.string == "accepted")
        let value = try #require(verdict["value"]?.object)
        #expect(
            value.names == [
                "credentialId", "publicKey", "algorithm", "aaguid", "format", "attestationType",
                "trust", "trustPath", "flags", "signCount", "transports", "extensions",
                "extensionResults",
            ])
        let response = try Self.passkey().assertion(challenge: Self.challenge, userHandle: [1])
        var input = try Self.input(response)
        input["credential"] = [
            "id": value["credentialId"] ?? .null, "publicKey": value["publicKey"] ?? .null,
            "signCount": 0, "backupEligible": false,
        ]
        let signIn = InspectWebAuthnAssertion.verdict(for: .object(input))
        #expect(signIn["verdict"]?.string == "accepted")
        #expect(signIn["value"]?["flags"]?["uv"]?.bool == true)
        input["challenge"] = "AAAA"
        let refused = InspectWebAuthnAssertion.verdict(for: .object(input))
        #expect(refused["code"]?.string == "challenge_mismatch")
        #expect(refused["reason"]?.string?.hasPrefix("step 7.2.11") == true)
    }

    @Test("A refusal carries its code and names its step")
    func refused() async throws {
        var input = try Self.registration()
        input["origins"] = ["https://example.org"]
        let origin = await InspectWebAuthnRegistration.verdict(for: .object(input))
        #expect(origin["code"]?.string == "origin_not_allowed")
        #expect(origin["reason"]?.string?.hasPrefix("step 7.1.9") == true)
        input = try Self.registration()
        input["algorithms"] = [-257, -65535]
        let algorithm = await InspectWebAuthnRegistration.verdict(for: .object(input))
        #expect(algorithm["code"]?.string == "algorithm_not_allowed")
    }

    @Test(
        "A member of the wrong form is bad input",
        arguments: [
            ("rpId", 1), ("origins", "https://login.example.org"), ("challenge", "=="),
            ("topOrigins", [1]), ("allowCrossOrigin", "no"), ("userVerification", "maybe"),
            ("algorithms", ["ES256"]), ("trustAnchors", ["AAAA"]), ("trustAnchors", "AAAA"),
            ("attestation", "all"), ("now", "today"), ("response", "x"), ("conditional", 1),
            ("backup", "maybe"), ("acceptsNone", "yes"), ("allowedModels", ["x"]),
            ("deniedModels", "x"), ("compoundRule", "some"), ("unsolicitedExtensions", true),
        ] as [(String, JSONValue)])
    func badInput(_ name: String, _ value: JSONValue) async throws {
        var input = try Self.registration()
        input[name] = value
        let verdict = await InspectWebAuthnRegistration.verdict(for: .object(input))
        #expect(verdict["code"]?.string == Verdict.badInputCode)
    }

    @Test(
        "What a relying party demands beyond its options decides",
        arguments: [
            ("backup", "required", "backup_eligibility_not_allowed"),
            ("acceptsNone", false, "attestation_not_acceptable"),
            (
                "deniedModels", ["00000000-0000-0000-0000-000000000000"],
                "attestation_model_not_allowed"
            ),
            ("backup", "prohibited", "ok"), ("conditional", true, "ok"), ("backup", .null, "ok"),
        ] as [(String, JSONValue, String)])
    func demands(_ name: String, _ value: JSONValue, _ code: String) async throws {
        var input = try Self.registration()
        input[name] = value
        let verdict = await InspectWebAuthnRegistration.verdict(for: .object(input))
        #expect(verdict["code"]?.string == code)
    }

    @Test(
        "So it does at sign-in",
        arguments: [
            ("allowCredentials", ["AQ"], "credential_not_allowed"),
            ("owner", "Ag", "credential_owner_mismatch"), ("owner", "AQ", "ok"),
            ("requiresUserHandle", true, "ok"), ("signCountPolicy", "report", "ok"),
            ("allowCredentials", "AQ", Verdict.badInputCode), ("owner", 1, Verdict.badInputCode),
            ("requiresUserHandle", "x", Verdict.badInputCode),
            ("signCountPolicy", "rise", Verdict.badInputCode),
        ] as [(String, JSONValue, String)])
    func demandsAtSignIn(_ name: String, _ value: JSONValue, _ code: String) async throws {
        let made = await InspectWebAuthnRegistration.verdict(for: .object(try Self.registration()))
        var input = try Self.input(
            try Self.passkey().assertion(challenge: Self.challenge, userHandle: [1]))
        input["credential"] = [
            "id": made["value"]?["credentialId"] ?? .null,
            "publicKey": made["value"]?["publicKey"] ?? .null, "userHandle": "AQ",
        ]
        input[name] = value
        let verdict = InspectWebAuthnAssertion.verdict(for: .object(input))
        #expect(verdict["code"]?.string == code)
    }

    @Test(
        "A stored credential of the wrong form is bad input",
        arguments: [
            nil, "x", [:], ["id": "AQ", "publicKey": 1],
            ["id": "AQ", "publicKey": "AQ", "signCount": -1],
            ["id": "AQ", "publicKey": "AQ", "signCount": 4_294_967_296],
            ["id": "AQ", "publicKey": "AQ", "backupEligible": 1],
            ["id": "AQ", "publicKey": "AQ", "userHandle": "A"],
        ] as [JSONValue?])
    func badCredential(_ credential: JSONValue?) throws {
        let response = try Self.passkey().assertion(challenge: Self.challenge, userHandle: [1])
        var input = try Self.input(response)
        input["credential"] = credential
        let verdict = InspectWebAuthnAssertion.verdict(for: .object(input))
        #expect(verdict["code"]?.string == Verdict.badInputCode)
    }

    @Test("Outputs of extensions are read when they were asked for, and refused when malformed")
    func extensions() async throws {
        var input = try Self.registration()
        let response = try #require(input["response"]?.object)
        func verdict(_ outputs: JSONValue) async -> JSONValue {
            var answer = response
            answer["clientExtensionResults"] = outputs
            input["response"] = .object(answer)
            return await InspectWebAuthnRegistration.verdict(for: .object(input))
        }
        input["extensions"] = ["credProps": true, "largeBlob": ["support": "preferred"]]
        let accepted = await verdict(["credProps": ["rk": true], "largeBlob": ["supported": true]])
        let results = accepted["value"]?["extensionResults"]
        #expect(results?["credProps"]?["rk"]?.bool == true)
        #expect(results?["largeBlob"]?["supported"]?.bool == true)
        let malformed = await verdict(["credProps": ["rk": 1]])
        #expect(malformed["code"]?.string == "extension_output_malformed")
    }

    @Test(
        "Extensions that no options could have are bad input",
        arguments: [1, ["credBlob": 1], ["credBlob": "AA=="], ["prf": ["eval": ["second": "AA"]]]]
            as [JSONValue])
    func badExtensions(_ extensions: JSONValue) async throws {
        var input = try Self.registration()
        input["extensions"] = extensions
        let verdict = await InspectWebAuthnRegistration.verdict(for: .object(input))
        #expect(verdict["code"]?.string == Verdict.badInputCode)
    }
}
