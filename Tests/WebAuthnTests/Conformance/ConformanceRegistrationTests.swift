// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Support
import Testing
import WebAuthn

/// FIDO conformance tests for servers, registration without the attestation formats:
/// ServerPublicKeyCredentialCreationOptions-Req-1 and ServerAuthenticatorAttestationResponse-Resp-1
/// and -Resp-2.
@Suite struct ConformanceRegistrationTests {
    private static let group = "Server-ServerAuthenticatorAttestationResponse"
    private static let party = RelyingParty(
        id: "example.org", origins: [RegistrationCeremony.origin])

    private static func request(_ change: (inout JSONObject) -> Void = { _ in }) -> JSONValue {
        var request = JSONObject()
        request["username"] = "anna"
        request["displayName"] = "Anna Johnson"
        request["authenticatorSelection"] = [
            "requireResidentKey": false, "authenticatorAttachment": "cross-platform",
            "userVerification": "required",
        ]
        request["attestation"] = "direct"
        request["extensions"] = ["example.extension": true]
        change(&request)
        return .object(request)
    }

    private static func options(
        _ json: JSONValue = request(), seed: UInt64 = 1, excluding: [CredentialDescriptor] = []
    ) throws -> JSONValue {
        let options = try ConformanceMessages.CreationRequest(json).options(
            relyingParty: party, name: "Example", userId: [1, 2, 3],
            challenge: RelyingParty.challenge(from: SeededRandom(seed: seed)),
            excluding: excluding, algorithms: COSEAlgorithm.offeredByDefault)
        return ConformanceMessages.succeeded(with: options.json)
    }

    // MARK: Req-1

    @Test("Server-ServerPublicKeyCredentialCreationOptions-Req-1 P-1: the options are complete")
    func creationOptions() throws {
        let options = try Self.options()
        #expect(options["status"] == "ok" && options["errorMessage"] == "")
        #expect(options["rp"]?["name"] == "Example" && options["rp"]?["id"] == "example.org")
        #expect(options["user"]?["name"] == "anna")
        #expect(options["user"]?["displayName"] == "Anna Johnson")
        #expect(options["user"]?["id"] == "AQID")
        let challenge = try #require(options["challenge"]?.string.flatMap { Base64URL.decode($0) })
        #expect(challenge.count >= 16)
        #expect(options["pubKeyCredParams"]?.array?.first == ["type": "public-key", "alg": -7])
        #expect((options["timeout"]?.integer ?? 0) > 0)
        #expect(options["extensions"] == ["example.extension": true])
        #expect(options["authenticatorSelection"]?["authenticatorAttachment"] == "cross-platform")
        #expect(options["attestation"] == "direct")
    }

    @Test("Server-ServerPublicKeyCredentialCreationOptions-Req-1 P-2: attestation none is echoed")
    func attestationNone() throws {
        #expect(
            try Self.options(Self.request { $0["attestation"] = "none" })["attestation"] == "none")
        #expect(try Self.options(Self.request { $0["attestation"] = nil })["attestation"] == "none")
    }

    @Test("Server-ServerPublicKeyCredentialCreationOptions-Req-1 P-3: two challenges differ")
    func challengesDiffer() throws {
        let random = SeededRandom(seed: 3)
        let challenges = (0..<64).map { _ in RelyingParty.challenge(from: random) }
        #expect(Set(challenges).count == 64)
        #expect(try Self.options(seed: 1)["challenge"] != Self.options(seed: 2)["challenge"])
    }

    @Test("Server-ServerPublicKeyCredentialCreationOptions-Req-1 P-4: UV required is echoed")
    func verificationRequired() throws {
        #expect(
            try Self.options()["authenticatorSelection"]?["userVerification"] == "required")
        let plain = try Self.options(Self.request { $0["authenticatorSelection"] = nil })
        #expect(plain["authenticatorSelection"]?["userVerification"] == "preferred")
    }

    @Test("A request for options that is not of its form is refused, with the member's name")
    func badRequest() {
        let spoilt: [(String, JSONValue?)] = [
            ("username", nil), ("username", ""), ("username", 1), ("displayName", nil),
            ("attestation", "some"), ("attestation", 1),
        ]
        for (name, value) in spoilt {
            #expect(throws: ConformanceMessages.ParseError(member: name)) {
                try ConformanceMessages.CreationRequest(Self.request { $0[name] = value })
            }
        }
        #expect(throws: ConformanceMessages.ParseError(member: "userVerification")) {
            try ConformanceMessages.CreationRequest(
                Self.request { $0["authenticatorSelection"] = ["userVerification": "maybe"] })
        }
    }

    // MARK: Resp-1, the response's JSON

    static let shapeCases: [ConformanceCase] =
        ConformanceCase.credential("\(group)-Resp-1")
        + ConformanceCase.members(
            "\(group)-Resp-1", from: 9,
            [
                ("clientDataJSON", "is missing", nil), ("clientDataJSON", "is no string", [:]),
                ("clientDataJSON", "is empty", ""), ("attestationObject", "is missing", nil),
                ("attestationObject", "is no string", 1), ("attestationObject", "is empty", ""),
            ])

    @Test("Server-ServerAuthenticatorAttestationResponse-Resp-1", arguments: shapeCases)
    func shape(_ given: ConformanceCase) {
        let passkey = RegistrationCeremony().passkey
        let good = passkey.registration(
            challenge: [UInt8](1...32), origin: RegistrationCeremony.origin)
        #expect(throws: refusal(.registration, given.step, given.code)) {
            try UnverifiedRegistration(json: given.spoil(good))
        }
    }

    @Test(
        "Server-ServerAuthenticatorAttestationResponse-Resp-1 P-1: a good one is taken, and excluded from the next"
    )
    func accepted() async throws {
        let ceremony = RegistrationCeremony()
        var json =
            ceremony.passkey.registration(challenge: ceremony.challenge, origin: ceremony.origin)
            .object ?? JSONObject()
        // As the conformance tests spell it.
        json["rawId"] = nil
        json["clientExtensionResults"] = nil
        json["getClientExtensionResults"] = [:]
        let response = try UnverifiedRegistration(
            json: ConformanceMessages.response(.object(json)))
        let verified = try await ceremony.party
            .verify(registration: response, expecting: ceremony.expectation).get()
        let next = try Self.options(
            excluding: [
                CredentialDescriptor(id: verified.credentialId, transports: verified.transports)
            ])
        let id = JSONValue.string(Base64URL.encode(ceremony.passkey.credentialId))
        #expect(next["excludeCredentials"]?.array?.first?["id"] == id)
    }

    @Test("Server-ServerAuthenticatorAttestationResponse-Resp-1 F-15: UV is clear though required")
    func verificationMissing() async {
        var ceremony = RegistrationCeremony()
        ceremony.passkey.flags = 0b0000_0001
        ceremony.expectation.userVerification = .required
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 16, .userVerificationMissing))
        let answer = ConformanceMessages.failed("user_verification_missing")
        #expect(answer["status"] == "failed")
        #expect(answer["errorMessage"] == "user_verification_missing")
    }

    // MARK: Resp-2, client data

    static let clientDataCases: [ConformanceCase] = ConformanceCase.clientData(
        "\(group)-Resp-2", otherType: "webauthn.get", firstStep: 6)

    @Test("Server-ServerAuthenticatorAttestationResponse-Resp-2", arguments: clientDataCases)
    func clientData(_ given: ConformanceCase) async {
        var ceremony = RegistrationCeremony()
        ceremony.clientData = given.spoil(clientData: ceremony.clientDataJSON)
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, given.step, given.code))
    }
}
