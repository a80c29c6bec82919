// SPDX-License-Identifier: Apache-2.0

extension UnverifiedJWE {
    /// Reads the JSON serialisation (RFC 7516 section 7.2) for one recipient, flattened or
    /// general. `alg` and `enc` stand in the protected header; outside of it only `kid` may.
    ///
    /// - Throws: as the compact form, and `unprotectedHeader`.
    package init(
        json bytes: [UInt8], maximumBytes: Int = defaultMaximumBytes
    ) throws(JOSEError) {
        let object = try JSONParser.joseObject(bytes, maximumBytes: maximumBytes)
        let recipient = try Self.recipient(of: object)
        try Self.checkUnprotected(object["unprotected"])
        try Self.checkUnprotected(recipient["header"])
        guard let protected = object["protected"]?.string else {
            throw JOSEError(.malformed, "protected is missing or not a string")
        }
        var authenticated = Array(protected.utf8)
        if let aad = object["aad"] {
            guard let text = aad.string, !text.isEmpty else {
                throw JOSEError(.malformed, "aad is not a string with content")
            }
            _ = try Self.decode(Array(text.utf8)[...], "aad")
            authenticated += [UInt8(ascii: ".")] + Array(text.utf8)
        }
        try self.init(
            protected: Array(protected.utf8),
            encryptedKey: Self.part("encrypted_key", of: recipient, required: false),
            initializationVector: Self.part("iv", of: object),
            ciphertext: Self.part("ciphertext", of: object), tag: Self.part("tag", of: object),
            authenticated: authenticated)
    }

    private static func recipient(of object: JSONObject) throws(JOSEError) -> JSONObject {
        guard let list = object["recipients"] else { return object }
        guard object["encrypted_key"] == nil, object["header"] == nil,
            let recipients = list.array, recipients.count == 1, let one = recipients.first?.object
        else { throw JOSEError(.malformed, "there must be exactly one recipient") }
        return one
    }

    private static func checkUnprotected(_ header: JSONValue?) throws(JOSEError) {
        guard let header else { return }
        guard let names = header.object?.names else {
            throw JOSEError(.malformed, "an unprotected header is not an object")
        }
        guard names.isEmpty || names == ["kid"] else {
            throw JOSEError(.unprotectedHeader, "only kid may stand in an unprotected header")
        }
    }

    private static func part(
        _ name: String, of object: JSONObject, required: Bool = true
    ) throws(JOSEError) -> [UInt8] {
        guard let value = object[name] else {
            guard !required else { throw JOSEError(.malformed, "\(name) is missing") }
            return []
        }
        guard let text = value.string else {
            throw JOSEError(.malformed, "\(name) is not a string")
        }
        return try decode(Array(text.utf8)[...], name)
    }
}
