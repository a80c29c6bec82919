// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing
import WebAuthn

/// Step 3 of both ceremonies: the JSON form of a response (section 5.1).
@Suite struct ResponseJSONTests {
    private static let passkey = RegistrationCeremony().passkey

    private static func registration() -> JSONObject {
        passkey.registration(challenge: [1], origin: "https://a.example").object ?? JSONObject()
    }

    /// Each one spoils a good registration; `nil` removes the member.
    static let spoilt: [(String, JSONValue?)] = [
        ("id", nil), ("id", 7), ("id", ""), ("rawId", nil), ("rawId", .null), ("type", nil),
        ("type", 1), ("response", nil), ("response", "x"), ("clientExtensionResults", []),
        ("authenticatorAttachment", 1),
    ]

    @Test("A member that is missing or of another type is refused", arguments: spoilt)
    func member(_ name: String, _ value: JSONValue?) {
        var json = Self.registration()
        json[name] = value
        #expect(throws: refusal(.registration, 3, .responseMalformed)) {
            try UnverifiedRegistration(json: .object(json))
        }
    }

    static let spoiltParts: [(String, JSONValue?)] = [
        ("clientDataJSON", nil), ("clientDataJSON", 1), ("clientDataJSON", ""),
        ("attestationObject", nil), ("attestationObject", []), ("attestationObject", ""),
        ("transports", "usb"), ("transports", [1]),
        ("transports", .array([JSONValue](repeating: "usb", count: 17))),
    ]

    @Test("A part that is missing or of another type is refused", arguments: spoiltParts)
    func part(_ name: String, _ value: JSONValue?) {
        var json = Self.registration()
        var response = json["response"]?.object ?? JSONObject()
        response[name] = value
        json["response"] = .object(response)
        #expect(throws: refusal(.registration, 3, .responseMalformed)) {
            try UnverifiedRegistration(json: .object(json))
        }
    }

    @Test(
        "Base64 that is not strict base64url is refused (26)",
        arguments: ["AQ==", "AR", "A", "+/8A", "AQ\n", " AQ", "A.Q", "ÄQ"])
    func base64(_ text: String) {
        var json = Self.registration()
        json["id"] = .string(text)
        json["rawId"] = .string(text)
        #expect(throws: refusal(.registration, 3, .responseMalformed)) {
            try UnverifiedRegistration(json: .object(json))
        }
    }

    @Test("An id that is not rawId is refused (12)")
    func idMismatch() {
        var json = Self.registration()
        json["rawId"] = "AAAA"
        #expect(throws: refusal(.registration, 3, .credentialIdMismatch)) {
            try UnverifiedRegistration(json: .object(json))
        }
    }

    @Test("Another type of credential is refused")
    func type() {
        var json = Self.registration()
        json["type"] = "password"
        #expect(throws: refusal(.registration, 3, .credentialTypeWrong)) {
            try UnverifiedRegistration(json: .object(json))
        }
    }

    @Test("What is no JSON, too long or too deep is refused (26)")
    func text() {
        let hostile: [[UInt8]] = [
            [], [0x7B], Array("[]".utf8), [0xFF], Array(#"{"id":"a","id":"a"}"#.utf8),
            [UInt8](repeating: 0x5B, count: 10_000), [UInt8](repeating: 0x20, count: 70_000),
        ]
        for bytes in hostile {
            #expect(throws: refusal(.registration, 3, .responseMalformed)) {
                try UnverifiedRegistration(json: bytes)
            }
            #expect(throws: refusal(.authentication, 3, .responseMalformed)) {
                try UnverifiedAssertion(json: bytes)
            }
        }
    }

    @Test(
        "An assertion without its parts is refused",
        arguments: ["clientDataJSON", "authenticatorData", "signature"])
    func assertionParts(_ name: String) throws {
        for value in [nil, 1, "", "A", .null] as [JSONValue?] {
            var passkey = Self.passkey
            let made = try passkey.assertion(challenge: [1], origin: "https://a.example")
            var json = made.object ?? JSONObject()
            var response = json["response"]?.object ?? JSONObject()
            response[name] = value
            json["response"] = .object(response)
            #expect(throws: refusal(.authentication, 3, .responseMalformed)) {
                try UnverifiedAssertion(json: .object(json))
            }
        }
    }

    @Test("A user handle that is no string, empty or beyond 64 bytes is refused (10)")
    func userHandle() throws {
        let long = JSONValue.string(Base64URL.encode([UInt8](repeating: 1, count: 65)))
        for value in [1, "", "A", long] as [JSONValue] {
            var passkey = Self.passkey
            let made = try passkey.assertion(challenge: [1], origin: "https://a.example")
            var json = made.object ?? JSONObject()
            var response = json["response"]?.object ?? JSONObject()
            response["userHandle"] = value
            json["response"] = .object(response)
            #expect(throws: refusal(.authentication, 3, .responseMalformed)) {
                try UnverifiedAssertion(json: .object(json))
            }
        }
    }

    @Test("Optional members may be absent or null, and strange transports are dropped")
    func optional() throws {
        var json = Self.registration()
        json["clientExtensionResults"] = nil
        json["authenticatorAttachment"] = .null
        var response = json["response"]?.object ?? JSONObject()
        response["transports"] = ["usb", "USB", "", "a b", "smart-card"]
        json["response"] = .object(response)
        let read = try UnverifiedRegistration(json: .object(json))
        #expect(read.transports == ["usb", "smart-card"])
        #expect(read.authenticatorAttachment == nil)
    }
}
