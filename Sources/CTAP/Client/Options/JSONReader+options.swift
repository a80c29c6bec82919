// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// Reads the JSON forms of the options that a relying party sends (WebAuthn sections 5.1.9 and
/// 5.1.10). A member that is `null` is absent.
extension JSONReader<SecurityKeyError> {
    static func options(_ value: JSONValue) throws(SecurityKeyError) -> JSONReader {
        guard let object = value.object else { throw .malformedOptions("options") }
        return JSONReader(object, at: "options", ignoresNull: true) { .malformedOptions($0.member) }
    }

    /// A choice, where a value that is not known means the default.
    func choice<Choice: RawRepresentable<String>>(
        _ member: String, otherwise: Choice
    ) throws(SecurityKeyError) -> Choice {
        try optional(member, .string).flatMap(Choice.init(rawValue:)) ?? otherwise
    }

    /// Milliseconds; what is negative or absurdly long is read as absent.
    func timeout() throws(SecurityKeyError) -> Duration? {
        guard let number = try optional("timeout", .integer) else { return nil }
        return 1...86_400_000 ~= number ? .milliseconds(number) : nil
    }

    /// Credentials of the one known type; others are passed over. An entry has at most 1,023
    /// bytes of id.
    func credentials(_ member: String) throws(SecurityKeyError) -> [CTAPCredentialDescriptor] {
        var credentials: [CTAPCredentialDescriptor] = []
        for entry in try optionalObjects(member) ?? [] where try entry.isPublicKey() {
            credentials.append(
                CTAPCredentialDescriptor(
                    id: try entry.required("id", .base64url(1...1023)),
                    transports: try entry.optional("transports", .strings)))
        }
        return credentials
    }

    func isPublicKey() throws(SecurityKeyError) -> Bool {
        try optional("type", .string) == CTAPCredentialDescriptor.publicKey
    }

    /// The inputs of the `prf` extension.
    func prf() throws(SecurityKeyError) -> PRFRequest? {
        guard let reader = try optionalObject("prf") else { return nil }
        var request = PRFRequest(eval: try reader.optionalObject("eval")?.prfValues())
        guard let entries = try reader.optionalObject("evalByCredential") else { return request }
        for name in entries.object.names {
            guard let id = Base64URL.decode(name), !id.isEmpty else {
                throw reader.malformed("evalByCredential", "values by credential id in base64url")
            }
            request.evalByCredential[id] = try entries.object(name).prfValues()
        }
        return request
    }

    private func prfValues() throws(SecurityKeyError) -> PRFRequest.Values {
        PRFRequest.Values(
            first: try required("first", .base64url), second: try optional("second", .base64url))
    }
}
