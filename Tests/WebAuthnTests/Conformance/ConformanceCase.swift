// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing
import WebAuthn

/// One case of the FIDO conformance tests for servers: its identifier, what is spoilt, and for
/// which reason it must be refused. A refusal for another reason is a failure.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// Such as `Server-ServerAuthenticatorAttestationResponse-Resp-1 F-4`.
    let id: String
    let what: String
    /// In the response as a whole, in its `response`, or in the client data.
    let part: Part
    let member: String
    /// `nil` removes the member.
    let value: JSONValue?
    let step: Int
    let code: WebAuthnRefusal.Code

    enum Part { case credential, response, clientData }

    init(
        _ id: String, _ what: String, _ part: Part, _ member: String, _ value: JSONValue?,
        _ step: Int, _ code: WebAuthnRefusal.Code
    ) {
        self.id = id
        self.what = what
        self.part = part
        self.member = member
        self.value = value
        self.step = step
        self.code = code
    }

    var testDescription: String { "\(id): \(what)" }

    /// Returns the response with this case's error.
    func spoil(_ json: JSONValue) -> JSONValue {
        var credential = json.object ?? JSONObject()
        switch part {
        case .credential: credential[member] = value
        case .response:
            var response = credential["response"]?.object ?? JSONObject()
            response[member] = value
            credential["response"] = .object(response)
        case .clientData: break
        }
        return .object(credential)
    }

    /// Returns the client data with this case's error.
    func spoil(clientData bytes: [UInt8]) -> [UInt8] {
        guard part == .clientData,
            var object = try? JSONParser.parseObject(bytes, maximumBytes: 8192)
        else { return bytes }
        object[member] = value
        return object.bytes
    }

    /// Resp-2 of both ceremonies: client data, F-1 to F-17.
    static func clientData(
        _ group: String, otherType: JSONValue, firstStep: Int
    ) -> [ConformanceCase] {
        let (parse, type, challenge, origin) = (
            firstStep, firstStep + 1, firstStep + 2, firstStep + 3
        )
        let binding = "tokenBinding"
        let rows: [(String, String, JSONValue?, Int, WebAuthnRefusal.Code)] = [
            ("type is missing", "type", nil, parse, .clientDataMalformed),
            ("type is no string", "type", 1, parse, .clientDataMalformed),
            ("type is empty", "type", "", parse, .clientDataMalformed),
            ("type is another", "type", "webauthn.other", type, .ceremonyTypeWrong),
            ("type is the other ceremony's", "type", otherType, type, .ceremonyTypeWrong),
            ("challenge is missing", "challenge", nil, parse, .clientDataMalformed),
            ("challenge is no string", "challenge", [], parse, .clientDataMalformed),
            ("challenge is empty", "challenge", "", parse, .clientDataMalformed),
            (
                "challenge is no base64url", "challenge", "+/=\u{2603}", challenge,
                .challengeMismatch
            ),
            ("challenge is another", "challenge", "AAAA", challenge, .challengeMismatch),
            ("origin is missing", "origin", nil, parse, .clientDataMalformed),
            ("origin is no string", "origin", [:], parse, .clientDataMalformed),
            ("origin is empty", "origin", "", parse, .clientDataMalformed),
            ("origin is another", "origin", "https://evil.example", origin, .originNotAllowed),
            ("tokenBinding is no object", binding, "x", parse, .clientDataMalformed),
            ("tokenBinding has no status", binding, [:], parse, .clientDataMalformed),
            (
                "tokenBinding has a wrong status", binding, ["status": "bad"], parse,
                .clientDataMalformed
            ),
        ]
        return rows.enumerated().map { index, row in
            ConformanceCase(
                "\(group) F-\(index + 1)", row.0, .clientData, row.1, row.2, row.3, row.4)
        }
    }

    /// Resp-1 of both ceremonies: the members of the response as a whole, F-1 to F-8.
    static func credential(_ group: String) -> [ConformanceCase] {
        let rows: [(String, String, JSONValue?, WebAuthnRefusal.Code)] = [
            ("id is missing", "id", nil, .responseMalformed),
            ("id is no string", "id", 7, .responseMalformed),
            ("id is no base64url", "id", "a+/=", .responseMalformed),
            ("type is missing", "type", nil, .responseMalformed),
            ("type is no string", "type", .null, .responseMalformed),
            ("type is not public-key", "type", "private-key", .credentialTypeWrong),
            ("response is missing", "response", nil, .responseMalformed),
            ("response is no object", "response", [], .responseMalformed),
        ]
        return rows.enumerated().map { index, row in
            ConformanceCase("\(group) F-\(index + 1)", row.0, .credential, row.1, row.2, 3, row.3)
        }
    }

    /// Further members of `response`, numbered on from `first`.
    static func members(
        _ group: String, from first: Int, _ rows: [(String, String, JSONValue?)]
    ) -> [ConformanceCase] {
        rows.enumerated().map { index, row in
            ConformanceCase(
                "\(group) F-\(first + index)", "\(row.0) \(row.1)", .response, row.0, row.2, 3,
                .responseMalformed)
        }
    }
}
