// SPDX-License-Identifier: Apache-2.0

extension UnverifiedJWE {
    /// Reads the JSON serialization (RFC 7516 section 7.2) for one recipient, flattened or general.
    ///
    /// `alg` and `enc` must be in the protected header. Outside of it only `kid` and the parameters
    /// of key agreement are allowed: `epk`, `apu` and `apv`. A changed parameter results in another
    /// key, so they need no integrity protection. A name must not be in two headers.
    ///
    /// - Throws: The errors of the compact form, and `unprotectedHeader`.
    package init(
        json bytes: [UInt8], maximumBytes: Int = defaultMaximumBytes
    ) throws(JOSEError) {
        let object = try JSONParser.joseObject(bytes, maximumBytes: maximumBytes)
        let recipient = try Self.recipient(of: object)
        let unprotected = try Self.unprotected([object["unprotected"], recipient["header"]])
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
            authenticated: authenticated, unprotected: unprotected)
    }

    private static func recipient(of object: JSONObject) throws(JOSEError) -> JSONObject {
        guard let list = object["recipients"] else { return object }
        guard object["encrypted_key"] == nil, object["header"] == nil,
            let recipients = list.array, recipients.count == 1, let one = recipients.first?.object
        else { throw JOSEError(.malformed, "there must be exactly one recipient") }
        return one
    }

    /// The shared and the recipient's header, together.
    private static func unprotected(_ headers: [JSONValue?]) throws(JOSEError) -> JSONObject {
        var together = JSONObject()
        for header in headers.compactMap({ $0 }) {
            guard let members = header.object?.members else {
                throw JOSEError(.malformed, "an unprotected header is not an object")
            }
            for member in members {
                guard ["kid", "epk", "apu", "apv"].contains(where: member.name.hasSameBytes) else {
                    throw JOSEError(
                        .unprotectedHeader,
                        "only kid, epk, apu and apv are allowed in an unprotected header")
                }
                try checkDisjoint(member.name, from: together)
                together[member.name] = member.value
            }
        }
        return together
    }

    /// Section 7.2.1: the names of the three headers must be disjoint.
    static func checkDisjoint(_ name: String, from header: JSONObject) throws(JOSEError) {
        guard header[name] == nil else {
            throw JOSEError(.invalidHeader, "\(name) is in two headers")
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
