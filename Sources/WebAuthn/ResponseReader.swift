// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// Reads the JSON form that both ceremonies' responses share (section 5.1): `id`, `rawId`,
/// `type`, `response`, `clientExtensionResults`. Unknown members are ignored.
struct ResponseReader {
    private let ceremony: Ceremony
    private let credential: JSONReader<WebAuthnRefusal>
    private let response: JSONReader<WebAuthnRefusal>

    static func parse(
        _ bytes: [UInt8], ceremony: Ceremony
    ) throws(WebAuthnRefusal) -> JSONValue {
        do {
            return try JSONParser.parse(
                bytes, maximumBytes: UnverifiedRegistration.maximumBytes, maximumDepth: 16)
        } catch {
            throw WebAuthnRefusal(CeremonyStep(ceremony, 3), .responseMalformed, error.code)
        }
    }

    init(_ json: JSONValue, ceremony: Ceremony) throws(WebAuthnRefusal) {
        self.ceremony = ceremony
        let step = CeremonyStep(ceremony, 3)
        guard let object = json.object else {
            throw WebAuthnRefusal(step, .responseMalformed, "not an object")
        }
        credential = JSONReader(object, ignoresNull: true) {
            WebAuthnRefusal(step, .responseMalformed, $0.description)
        }
        response = try credential.object("response")
        let type = try credential.required("type", .string)
        guard type.hasSameBytes(as: "public-key") else {
            throw WebAuthnRefusal(step, .credentialTypeWrong, "type is \(type)")
        }
    }

    /// Returns the value of `id` and `rawId`, which must be equal.
    func credentialId() throws(WebAuthnRefusal) -> [UInt8] {
        let bytes = try credential.required("id", .nonEmptyBytes)
        // Base64url has one text for each value, so that equal bytes are equal texts.
        let rawId = try credential.required("rawId", .string)
        guard rawId.hasSameBytes(as: Base64URL.encode(bytes)) else {
            throw WebAuthnRefusal(
                CeremonyStep(ceremony, 3), .credentialIdMismatch, "id is not rawId")
        }
        return bytes
    }

    /// A byte string of the response, not empty.
    func bytes(_ name: String) throws(WebAuthnRefusal) -> [UInt8] {
        try response.required(name, .nonEmptyBytes)
    }

    /// A byte string of the response that may be absent or `null`.
    func optionalBytes(_ name: String) throws(WebAuthnRefusal) -> [UInt8]? {
        try response.optional(name, .base64url)
    }

    /// Names that no browser could have sent are dropped; what is not even a list of names is
    /// refused.
    func transports() throws(WebAuthnRefusal) -> [String] {
        let names = try response.optional("transports", .list(of: .string, atMost: 16)) ?? []
        return names.filter { name in
            1...32 ~= name.utf8.count
                && name.utf8.allSatisfy { letter in
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
                        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= letter
                        || letter == UInt8(ascii: "-")
                }
        }
    }

    /// An unknown attachment is as good as none (section 5.1).
    func authenticatorAttachment() throws(WebAuthnRefusal) -> AuthenticatorAttachment? {
        try credential.optional("authenticatorAttachment", .string)
            .flatMap { AuthenticatorAttachment(rawValue: $0) }
    }

    func clientExtensionResults() throws(WebAuthnRefusal) -> JSONObject {
        try credential.optional("clientExtensionResults", .object) ?? JSONObject()
    }
}

extension JSONForm<[UInt8]> {
    fileprivate static var nonEmptyBytes: JSONForm {
        base64url.map("a base64url string that is not empty") { $0.isEmpty ? nil : $0 }
    }
}
