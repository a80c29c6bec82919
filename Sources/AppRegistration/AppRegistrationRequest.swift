// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The registration request of an app installation: the body of `POST /registration`.
package struct AppRegistrationRequest: Sendable {
    package var method: AppRegistrationMethod
    /// The installation's identifier of the registration. A repeated request with it and the same
    /// key gets the same response, so a lost response has no effect.
    package var registrationID: Identifier<AppRegistrationRequest>
    /// The nonce of `POST /registration/challenge`.
    package var nonce: String
    /// The evidence of the method; `{"token": …}` for tokens.
    package var evidence: JSONObject
    /// The sign-in key of the installation, in its transmitted form.
    package var key: JSONValue?
    /// See ``KeyBinding``.
    package var keyProof: String?
    /// The first message of the PIN protocol, if the installation registers with a PIN
    /// (docs/protocols/pin.md): a compact JWS of type `gatehouse-pin-offer+jwt`.
    package var pinOffer: String?
    /// The displayed name of the installation: "Notes on Anna's phone".
    package var name: String

    package init(
        method: AppRegistrationMethod, registrationID: Identifier<AppRegistrationRequest>,
        nonce: String,
        evidence: JSONObject, key: JSONValue? = nil, keyProof: String? = nil, name: String = "",
        pinOffer: String? = nil
    ) {
        self.method = method
        self.registrationID = registrationID
        self.nonce = nonce
        self.evidence = evidence
        self.key = key
        self.keyProof = keyProof
        self.name = name
        self.pinOffer = pinOffer
    }

    package enum ParseError: Error, Equatable {
        case missing(String)
        case malformed(String)
    }

    /// The maximum length of a name, in bytes.
    package static let maximumNameLength = 128
    private static let maximumTextLength = 512
    private static let maximumProofLength = 4096

    /// Reads the body; unknown members are ignored.
    package init(_ body: JSONObject) throws(ParseError) {
        method = AppRegistrationMethod(rawValue: try Self.text("method", in: body))
        // Apple's systems write UUIDs in capitals.
        let uuid = try Self.text("registration_id", in: body).lowercased()
        guard let id = Identifier<AppRegistrationRequest>(uuid) else {
            throw .malformed("registration_id")
        }
        registrationID = id
        nonce = try Self.text("nonce", in: body)
        guard let sent = body["evidence"] else { throw .missing("evidence") }
        guard let evidence = sent.object else { throw .malformed("evidence") }
        self.evidence = evidence
        key = body["public_key"].flatMap { $0 == .null ? nil : $0 }
        keyProof = try Self.optionalText("key_proof", in: body, upTo: Self.maximumProofLength)
        pinOffer = try Self.optionalText("pin_offer", in: body, upTo: Self.maximumProofLength)
        guard let name = Self.name(body["name"]) else { throw .malformed("name") }
        self.name = name
    }

    /// Reads the displayed name of an installation or of an authenticator: one line without
    /// formatting characters. Empty if absent; `nil` if it is too long, or not a text without
    /// control characters.
    package static func name(_ value: JSONValue?) -> String? {
        guard let value, value != .null else { return "" }
        guard let text = value.string, text.utf8.count <= maximumNameLength,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        return text.singleLine(atMost: maximumNameLength)
    }

    package var json: JSONValue {
        var body = JSONObject()
        body["method"] = .string(method.rawValue)
        body["registration_id"] = .string(registrationID.description)
        body["nonce"] = .string(nonce)
        body["evidence"] = .object(evidence)
        body["public_key"] = key
        body["key_proof"] = keyProof.map(JSONValue.string)
        body["pin_offer"] = pinOffer.map(JSONValue.string)
        if !name.isEmpty { body["name"] = .string(name) }
        return .object(body)
    }

    private static func text(_ name: String, in body: JSONObject) throws(ParseError) -> String {
        guard let text = try optionalText(name, in: body, upTo: maximumTextLength), !text.isEmpty
        else {
            throw .missing(name)
        }
        return text
    }

    private static func optionalText(
        _ name: String, in body: JSONObject, upTo longest: Int
    ) throws(ParseError) -> String? {
        guard let value = body[name], value != .null else { return nil }
        guard let text = value.string, text.utf8.count <= longest else { throw .malformed(name) }
        return text
    }
}
