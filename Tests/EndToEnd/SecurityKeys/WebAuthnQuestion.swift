// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

/// One line of input of `gatehouse inspect webauthn-…`, and of the peers' verifiers.
struct WebAuthnQuestion {
    var json: JSON
    /// What was done to it, for messages and for the table of known differences.
    var about: String

    var isRegistration: Bool { json["kind"] == "registration" }

    init(
        registration registered: BrowserRelyingParty.Registered, of party: RelyingParty,
        _ about: String
    ) throws {
        json = try Self.head("registration", party, registered.challenge, registered.response)
        json["algorithms"] = .array(
            COSEAlgorithm.allCases.map { .number(Double($0.rawValue)) })
        self.about = about
    }

    init(
        assertion response: String, to challenge: [UInt8], for stored: StoredCredential,
        of party: RelyingParty, _ about: String
    ) throws {
        json = try Self.head("assertion", party, challenge, response)
        json["credential"] = [
            "id": .string(Base64URL.encode(stored.id)),
            "publicKey": .string(Base64URL.encode(stored.publicKey)),
            "signCount": .number(Double(stored.signCount)),
        ]
        self.about = about
    }

    /// From a test vector of the specification: hexadecimal members, one site, no preference.
    init(kind: String, vector: JSON, credential: String, _ about: String) throws {
        let members = ["clientDataJSON", "attestationObject", "authenticatorData", "signature"]
        let response = members.map { ($0, Self.base64url(vector[$0])) }.filter { !$0.1.isNull }
        json = [
            "kind": .string(kind), "rpId": "example.org", "origins": ["https://example.org"],
            "allowCrossOrigin": true, "topOrigins": ["https://example.com"],
            "challenge": Self.base64url(vector["challenge"]), "userVerification": "preferred",
            "response": [
                "id": .string(credential), "rawId": .string(credential), "type": "public-key",
                "clientExtensionResults": [:],
                "response": .object(Dictionary(response) { first, _ in first }),
            ],
        ]
        self.about = about
    }

    static func base64url(_ hex: JSON) -> JSON {
        hex.string.flatMap { Hexadecimal.decode($0) }.map { .string(Base64URL.encode($0)) } ?? .null
    }

    private static func head(
        _ kind: String, _ party: RelyingParty, _ challenge: [UInt8], _ response: String
    ) throws -> JSON {
        [
            "kind": .string(kind), "rpId": .string(party.id),
            "origins": .array(party.origins.map { .string($0) }),
            "challenge": .string(Base64URL.encode(challenge)), "userVerification": "required",
            "response": try JSON(parsing: Array(response.utf8)),
        ]
    }

    /// The same question with something changed.
    func changed(_ about: String, _ change: (inout JSON) -> Void) -> WebAuthnQuestion {
        var copy = self
        change(&copy.json)
        copy.about = "\(self.about), \(about)"
        return copy
    }

    /// The spoilt forms of an honest question: each must be refused by everyone.
    var spoilt: [WebAuthnQuestion] {
        let other = Base64URL.encode(Array(repeating: 7, count: 32))
        var forms = [
            changed("another challenge") { $0["challenge"] = .string(other) },
            changed("another origin") { $0["origins"] = ["https://example.net"] },
            changed("another RP ID") { $0["rpId"] = "example.net" },
            changed("client data cut") { $0["response"]["response"]["clientDataJSON"] = "e30" },
            changed("type is not public-key") { $0["response"]["type"] = "password" },
        ]
        if isRegistration {
            forms += [
                changed("attestation object cut") { Self.cut(&$0, "attestationObject") },
                changed("one more byte") { Self.extend(&$0, "attestationObject") },
                changed("another id") {
                    $0["response"]["id"] = .string(other)
                    $0["response"]["rawId"] = .string(other)
                },
            ]
        } else {
            forms += [
                changed("signature turned") { Self.turn(&$0, "signature") },
                changed("authenticator data turned") { Self.turn(&$0, "authenticatorData") },
                changed("authenticator data cut") { Self.cut(&$0, "authenticatorData") },
                changed("one more byte") { Self.extend(&$0, "authenticatorData") },
                changed("counter stands still") {
                    $0["credential"]["signCount"] = .number(4_000_000_000)
                },
            ]
        }
        return forms
    }

    private static func cut(_ json: inout JSON, _ member: String) {
        edit(&json, member) { $0.removeLast() }
    }

    private static func extend(_ json: inout JSON, _ member: String) {
        edit(&json, member) { $0.append(0) }
    }

    private static func turn(_ json: inout JSON, _ member: String) {
        edit(&json, member) { $0[$0.count - 1] ^= 1 }
    }

    private static func edit(
        _ json: inout JSON, _ member: String, _ change: (inout [UInt8]) -> Void
    ) {
        let text = json["response"]["response"][member].string ?? ""
        var bytes = Base64URL.decode(text) ?? []
        change(&bytes)
        json["response"]["response"][member] = .string(Base64URL.encode(bytes))
    }
}
