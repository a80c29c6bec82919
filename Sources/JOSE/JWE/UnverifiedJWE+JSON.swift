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
        let reader = JSONReader(object) { JOSEError(.malformed, $0.description) }
        let protected = Array(try reader.required("protected", .string).utf8)
        var authenticated = protected
        if let text = try reader.optional("aad", .string(1...maximumBytes)) {
            _ = try Self.decode(Array(text.utf8)[...], "aad")
            authenticated += [UInt8(ascii: ".")] + Array(text.utf8)
        }
        func part(_ name: String) throws(JOSEError) -> [UInt8] {
            try Self.decode(Array(try reader.required(name, .string).utf8)[...], name)
        }
        let key =
            try JSONReader(recipient) { JOSEError(.malformed, $0.description) }
            .optional("encrypted_key", .string) ?? ""
        try self.init(
            protected: protected,
            encryptedKey: Self.decode(Array(key.utf8)[...], "encrypted_key"),
            initializationVector: part("iv"), ciphertext: part("ciphertext"), tag: part("tag"),
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
}
