// SPDX-License-Identifier: Apache-2.0
import CTAP
import JOSE
import Testing
import WebAuthn

@Suite struct OptionsJSONTests {
    static var creation: JSONObject {
        let value: JSONValue = [
            "rp": ["id": "example.org", "name": "Example"],
            "user": ["id": "AQI", "name": "anna", "displayName": "Anna"],
            "challenge": "QkJCQg",
            "pubKeyCredParams": [
                ["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257],
                ["type": "other", "alg": 1],
            ],
            "timeout": 60000, "attestation": "direct",
            "excludeCredentials": [
                ["type": "public-key", "id": "CQ", "transports": ["usb"]],
                ["type": "other", "id": "CA"],
            ],
            "authenticatorSelection": ["residentKey": "required", "userVerification": "required"],
            "extensions": [
                "credProps": true, "prf": ["eval": ["first": "AA", "second": "AQ"]],
                "credentialProtectionPolicy": "userVerificationRequired",
                "largeBlob": ["support": "preferred"], "credBlob": "AQID", "minPinLength": true,
            ],
        ]
        return value.object ?? JSONObject()
    }

    @Test("creation options are read as the provider writes them")
    func creationOptions() throws {
        let options = try RegistrationOptions(json: .object(Self.creation))
        #expect(options.relyingPartyId == "example.org")
        #expect(options.user == CTAPUser(id: [1, 2], name: "anna", displayName: "Anna"))
        #expect(options.algorithms == [-7, -257])
        #expect(options.timeout == .seconds(60))
        #expect(options.excludeCredentials.map(\.id) == [[9]])
        #expect(options.residentKey == .required)
        #expect(options.userVerification == .required)
        #expect(options.attestation == .direct)
        #expect(options.extensions.prf?.eval == PRFRequest.Values(first: [0], second: [1]))
        #expect(options.extensions.credentialProtection == .required)
        #expect(options.extensions.credBlob == [1, 2, 3])
        #expect(options.extensions.largeBlob == .preferred)
        #expect(options.extensions.credProps && options.extensions.minPinLength)
    }

    @Test("what our own relying party writes, our client reads")
    func ownOptions() throws {
        let party = RelyingParty(id: "example.org", origins: ["https://example.org"])
        var options = CreationOptions(
            relyingParty: party, name: "Example",
            user: CreationOptions.User(id: [7], name: "a", displayName: "b"),
            challenge: ClientFixture.challenge)
        options.userVerification = .required
        let read = try RegistrationOptions(json: options.json)
        #expect(read.challenge == ClientFixture.challenge)
        #expect(read.residentKey == .required)
        let request = RequestOptions(relyingParty: party, challenge: ClientFixture.challenge)
        #expect(try AssertionOptions(json: request.json).relyingPartyId == "example.org")
    }

    @Test(
        "a creation option that is missing or of the wrong type is named",
        arguments: [
            ("rp", "null", "options.rp"), ("user", "null", "options.user"),
            ("challenge", "null", "options.challenge"),
            ("challenge", #""a b""#, "options.challenge"), ("challenge", "5", "options.challenge"),
            ("user", #"{"id": "", "name": "a"}"#, "options.user.id"),
            ("user", #"{"name": "a"}"#, "options.user.id"),
            ("user", #"{"id": "AA"}"#, "options.user.name"),
            ("pubKeyCredParams", "null", "options.pubKeyCredParams"),
            ("pubKeyCredParams", "[5]", "options.pubKeyCredParams"),
            (
                "pubKeyCredParams", #"[{"type": "public-key", "alg": "x"}]"#,
                "options.pubKeyCredParams.alg"
            ), ("timeout", #""soon""#, "options.timeout"),
            (
                "excludeCredentials", #"[{"type": "public-key"}]"#,
                "options.excludeCredentials.id"
            ),
            (
                "excludeCredentials", #"[{"type": "public-key", "id": ""}]"#,
                "options.excludeCredentials.id"
            ), ("authenticatorSelection", #""x""#, "options.authenticatorSelection"),
            ("extensions", #"{"credProps": "x"}"#, "options.extensions.credProps"),
            (
                "extensions", #"{"credentialProtectionPolicy": "x"}"#,
                "options.extensions.credentialProtectionPolicy"
            ),
            (
                "extensions", #"{"largeBlob": {"support": "x"}}"#,
                "options.extensions.largeBlob.support"
            ), ("extensions", #"{"prf": {"eval": {}}}"#, "options.extensions.prf.eval.first"),
            (
                "extensions", #"{"prf": {"evalByCredential": {"AA": {"first": "AA"}}}}"#,
                "options.extensions.prf.evalByCredential"
            ),
        ])
    func malformedCreation(member: String, text: String, named: String) throws {
        var options = Self.creation
        options[member] = try JSONParser.parse(Array(text.utf8), maximumBytes: 4096)
        #expect(throws: SecurityKeyError.malformedOptions(named)) {
            try RegistrationOptions(json: .object(options))
        }
    }

    @Test("unknown values of choices have their defaults, and no known algorithm is an error")
    func defaults() throws {
        var options = Self.creation
        options["attestation"] = "later"
        options["authenticatorSelection"] = ["requireResidentKey": true, "userVerification": "x"]
        options["timeout"] = -5
        options["pubKeyCredParams"] = []
        let read = try RegistrationOptions(json: .object(options))
        #expect(read.attestation == .none)
        #expect(read.residentKey == .required)
        #expect(read.userVerification == .preferred)
        #expect(read.timeout == nil)
        #expect(read.algorithms == [-7, -257])
        options["pubKeyCredParams"] = [["type": "other", "alg": -7]]
        #expect(throws: SecurityKeyError.unsupportedAlgorithm) {
            try RegistrationOptions(json: .object(options))
        }
    }

    @Test(
        "a request option that is missing or of the wrong type is named",
        arguments: [
            (#"{"rpId": "a.org"}"#, SecurityKeyError.malformedOptions("options.challenge")),
            (#"{"challenge": "AA", "rpId": 5}"#, .malformedOptions("options.rpId")),
            (
                #"{"challenge": "AA", "allowCredentials": "x"}"#,
                .malformedOptions("options.allowCredentials")
            ),
            (
                #"{"challenge": "AA", "extensions": {"largeBlob": {"read": true, "write": "AA"}}}"#,
                .malformedOptions("options.extensions.largeBlob")
            ),
            (
                #"{"challenge": "AA", "extensions": {"prf": {"evalByCredential": {"AA": {"first": "AA"}}}}}"#,
                .malformedOptions("options.extensions.prf.evalByCredential")
            ),
            (
                #"{"challenge": "AA", "extensions": {"prf": {"evalByCredential": {"": {"first": "AA"}}}}}"#,
                .malformedOptions("options.extensions.prf.evalByCredential")
            ),
            (
                #"{"challenge": "AA", "allowCredentials": [{"type": "x", "id": "AA"}]}"#,
                .noCredential
            ), ("5", .malformedOptions("options")),
        ])
    func malformedRequest(text: String, error: SecurityKeyError) throws {
        let json = try JSONParser.parse(Array(text.utf8), maximumBytes: 4096)
        #expect(throws: error) { try AssertionOptions(json: json) }
    }

    @Test("client data have the members of WebAuthn in its order, escaped as it says")
    func clientData() throws {
        let bytes = CollectedClientData.json(
            .create, challenge: [0xFF, 0xFE], origin: "https://a\"\\\u{1}é.org", crossOrigin: true,
            topOrigin: "https://b.org")
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "{\"type\":\"webauthn.create\",\"challenge\":\"__4\","
                + "\"origin\":\"https://a\\\"\\\\\\u0001é.org\",\"crossOrigin\":true,"
                + "\"topOrigin\":\"https://b.org\"}")
        #expect(try ClientData(json: bytes).topOrigin == "https://b.org")
    }
}
