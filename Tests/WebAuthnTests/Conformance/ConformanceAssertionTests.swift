// SPDX-License-Identifier: Apache-2.0
import CBOR
import JOSE
import Primitives
import Support
import Testing
import WebAuthn

/// FIDO conformance tests for servers, authentication:
/// ServerPublicKeyCredentialGetOptionsResponse-Req-1 and ServerAuthenticatorAssertionResponse-Resp-1
/// to -Resp-3.
@Suite struct ConformanceAssertionTests {
    private static let group = "Server-ServerAuthenticatorAssertionResponse"

    // MARK: Req-1

    private static func options(seed: UInt64) throws -> JSONValue {
        let request: JSONValue = [
            "username": "anna", "userVerification": "discouraged",
            "extensions": ["example.extension": true],
        ]
        let options = try ConformanceMessages.AssertionRequest(request).options(
            relyingParty: RelyingParty(id: "example.org", origins: []),
            challenge: RelyingParty.challenge(from: SeededRandom(seed: seed)),
            allowing: [CredentialDescriptor(id: [7, 8], transports: ["usb"])])
        return ConformanceMessages.succeeded(with: options.json)
    }

    @Test("Server-ServerPublicKeyCredentialGetOptionsResponse-Req-1 P-1: the options are complete")
    func requestOptions() throws {
        let options = try Self.options(seed: 1)
        #expect(options["status"] == "ok" && options["errorMessage"] == "")
        let challenge = try #require(options["challenge"]?.string.flatMap { Base64URL.decode($0) })
        #expect(challenge.count >= 16)
        #expect(options["extensions"] == ["example.extension": true])
        #expect(options["rpId"] == "example.org")
        #expect(
            options["allowCredentials"]
                == [["type": "public-key", "id": "Bwg", "transports": ["usb"]]])
        #expect(options["userVerification"] == "discouraged")
    }

    @Test("Server-ServerPublicKeyCredentialGetOptionsResponse-Req-1 P-2: two challenges differ")
    func challengesDiffer() throws {
        #expect(try Self.options(seed: 1)["challenge"] != Self.options(seed: 2)["challenge"])
    }

    @Test("A request without a user name is refused")
    func badRequest() {
        for json in [[:], ["username": ""], .null, []] as [JSONValue] {
            #expect(throws: ConformanceMessages.ParseError(member: "username")) {
                try ConformanceMessages.AssertionRequest(json)
            }
        }
    }

    // MARK: Resp-1, the response's JSON

    static let shapeCases: [ConformanceCase] =
        ConformanceCase.credential("\(group)-Resp-1")
        + ConformanceCase.members(
            "\(group)-Resp-1", from: 9,
            [
                ("clientDataJSON", "is missing", nil), ("clientDataJSON", "is no string", [:]),
                ("clientDataJSON", "is empty", ""), ("authenticatorData", "is missing", nil),
                ("authenticatorData", "is no string", 1),
                ("authenticatorData", "is no base64url", "a+/="),
                ("authenticatorData", "is empty", ""), ("signature", "is missing", nil),
                ("signature", "is no string", []), ("signature", "is no base64url", "a+/="),
                ("signature", "is empty", ""),
            ])
        + ConformanceCase.members(
            "\(group)-Resp-1", from: 21, [("userHandle", "is no string", 7)])

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-1", arguments: shapeCases)
    func shape(_ given: ConformanceCase) throws {
        var passkey = AssertionCeremony().passkey
        let good = try passkey.assertion(
            challenge: [UInt8](1...32), origin: RegistrationCeremony.origin)
        #expect(throws: refusal(.authentication, given.step, given.code)) {
            try UnverifiedAssertion(json: given.spoil(good))
        }
    }

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-1 P-1: a good one is taken")
    func accepted() throws {
        var ceremony = AssertionCeremony()
        let made = try ceremony.passkey.assertion(
            challenge: ceremony.challenge, origin: ceremony.origin)
        var json = made.object ?? JSONObject()
        json["rawId"] = nil
        var parts = json["response"]?.object ?? JSONObject()
        parts["userHandle"] = ""
        json["response"] = .object(parts)
        let response = try UnverifiedAssertion(json: ConformanceMessages.response(.object(json)))
        let verified = ceremony.party.verify(
            assertion: response, for: ceremony.stored, expecting: ceremony.expectation)
        #expect(try verified.get().signCount == 6)
    }

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-1 F-20: the signature is of another")
    func unverifiable() throws {
        var ceremony = AssertionCeremony()
        ceremony.signature = try SoftwareAuthenticator(
            rpId: "example.org", userHandle: [7, 7], random: SeededRandom(seed: 77)
        ).sign(
            authenticatorData: ceremony.passkey.authenticatorData(),
            clientData: SoftwareAuthenticator.clientData(
                type: "webauthn.get", challenge: ceremony.challenge, origin: ceremony.origin))
        #expect(try ceremony.verify().refusal == refusal(.authentication, 21, .signatureInvalid))
    }

    // MARK: Resp-2, client data

    static let clientDataCases: [ConformanceCase] = ConformanceCase.clientData(
        "\(group)-Resp-2", otherType: "webauthn.create", firstStep: 9)

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-2", arguments: clientDataCases)
    func clientData(_ given: ConformanceCase) throws {
        var ceremony = AssertionCeremony()
        let good = SoftwareAuthenticator.clientData(
            type: "webauthn.get", challenge: ceremony.challenge, origin: ceremony.origin)
        ceremony.clientData = given.spoil(clientData: good)
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, given.step, given.code))
    }

    // MARK: Resp-3, authenticator data

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-3 P-1: a counter that stays 0")
    func zeroCounter() throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.signCount = 0
        ceremony.stored.signCount = 0
        #expect(try ceremony.verify().get().signCountOutcome == .notCounted)
    }

    static let verificationCases: [(String, Bool, UserVerificationRequirement)] = [
        ("\(group)-Resp-3 P-2", true, .required), ("\(group)-Resp-3 P-3", false, .preferred),
        ("\(group)-Resp-3 P-4", true, .preferred), ("\(group)-Resp-3 P-5", false, .discouraged),
        ("\(group)-Resp-3 P-6", true, .discouraged),
    ]

    @Test(
        "Server-ServerAuthenticatorAssertionResponse-Resp-3 P-2 to P-6: verification as required",
        arguments: verificationCases)
    func verification(
        _ id: String, _ isVerified: Bool, _ requirement: UserVerificationRequirement
    ) throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.flags = isVerified ? 0b0000_1101 : 0b0000_1001
        ceremony.expectation.userVerification = requirement
        #expect(try ceremony.verify().get().isUserVerified == isVerified, "\(id)")
    }

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-3 P-7: extension data are read over")
    func extensionData() throws {
        var ceremony = AssertionCeremony()
        ceremony.authenticatorExtensions = [CBOREntry(.text("example.extension"), .bool(true))]
        #expect(try ceremony.verify().get().extensions?.outputs.count == 1)
    }

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-3 F-1: bytes are left over")
    func leftover() throws {
        var ceremony = AssertionCeremony()
        ceremony.authenticatorData = ceremony.passkey.authenticatorData() + [0]
        #expect(
            try ceremony.verify().refusal
                == refusal(.authentication, 15, .authenticatorDataMalformed))
    }

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-3 F-2: another RP ID hash")
    func rpIdHash() throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.rpId = "example.com"
        #expect(try ceremony.verify().refusal == refusal(.authentication, 15, .rpIdMismatch))
    }

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-3 F-3: another client data hash")
    func clientDataHash() throws {
        var ceremony = AssertionCeremony()
        ceremony.signature = try ceremony.passkey.sign(
            authenticatorData: ceremony.passkey.authenticatorData(), clientData: [1, 2, 3])
        #expect(try ceremony.verify().refusal == refusal(.authentication, 21, .signatureInvalid))
    }

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-3 F-4: the counter did not rise")
    func counter() throws {
        var ceremony = AssertionCeremony()
        ceremony.stored.signCount = ceremony.passkey.signCount
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 22, .signCountNotIncreased))
    }

    @Test("Server-ServerAuthenticatorAssertionResponse-Resp-3 F-5: UP alone where UV is required")
    func presenceOnly() throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.flags = 0b0000_1001
        ceremony.expectation.userVerification = .required
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 17, .userVerificationMissing))
    }
}
