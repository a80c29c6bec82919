// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// Reads the JSON form that both ceremonies' responses share (section 5.1): `id`, `rawId`,
/// `type`, `response`, `clientExtensionResults`. Unknown members are ignored.
struct ResponseReader {
    private let ceremony: Ceremony
    private let credential: JSONObject
    private let response: JSONObject

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
        guard let credential = json.object else {
            throw WebAuthnRefusal(step, .responseMalformed, "not an object")
        }
        guard let response = credential["response"]?.object else {
            throw WebAuthnRefusal(step, .responseMalformed, "response is not an object")
        }
        guard let type = credential["type"]?.string else {
            throw WebAuthnRefusal(step, .responseMalformed, "type is not a string")
        }
        guard type.hasSameBytes(as: "public-key") else {
            throw WebAuthnRefusal(step, .credentialTypeWrong, "type is \(type)")
        }
        self.credential = credential
        self.response = response
    }

    private func malformed(_ reason: String) -> WebAuthnRefusal {
        WebAuthnRefusal(CeremonyStep(ceremony, 3), .responseMalformed, reason)
    }

    /// Returns the value of `id` and `rawId`, which must be equal.
    func credentialId() throws(WebAuthnRefusal) -> [UInt8] {
        guard let id = credential["id"]?.string, let rawId = credential["rawId"]?.string else {
            throw malformed("id or rawId is not a string")
        }
        guard let bytes = Base64URL.decode(id), !bytes.isEmpty else {
            throw malformed("id is not Base64url")
        }
        guard id.hasSameBytes(as: rawId) else {
            throw WebAuthnRefusal(
                CeremonyStep(ceremony, 3), .credentialIdMismatch, "id is not rawId")
        }
        return bytes
    }

    /// A byte string of the response, not empty.
    func bytes(_ name: String) throws(WebAuthnRefusal) -> [UInt8] {
        guard let bytes = try optionalBytes(name), !bytes.isEmpty else {
            throw malformed("\(name) is missing or empty")
        }
        return bytes
    }

    /// A byte string of the response that may be absent or `null`.
    func optionalBytes(_ name: String) throws(WebAuthnRefusal) -> [UInt8]? {
        guard let member = response[name], member != .null else { return nil }
        guard let text = member.string, let bytes = Base64URL.decode(text) else {
            throw malformed("\(name) is not Base64url")
        }
        return bytes
    }

    /// Names that no browser could have sent are dropped; what is not even a list of names is
    /// refused.
    func transports() throws(WebAuthnRefusal) -> [String] {
        guard let member = response["transports"], member != .null else { return [] }
        guard let names = member.strings, names.count <= 16 else {
            throw malformed("transports is not a short list of strings")
        }
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
        guard let member = credential["authenticatorAttachment"], member != .null else {
            return nil
        }
        guard let text = member.string else {
            throw malformed("authenticatorAttachment is not a string")
        }
        return AuthenticatorAttachment(rawValue: text)
    }

    func clientExtensionResults() throws(WebAuthnRefusal) -> JSONObject {
        guard let member = credential["clientExtensionResults"], member != .null else {
            return JSONObject()
        }
        guard let object = member.object else {
            throw malformed("clientExtensionResults is not an object")
        }
        return object
    }
}
