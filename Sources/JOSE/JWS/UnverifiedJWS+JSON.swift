// SPDX-License-Identifier: Apache-2.0

extension UnverifiedJWS {
    /// Reads the flattened or the general JSON serialization (RFC 7515 section 7.2).
    ///
    /// Only `kid` is allowed in the unprotected header, because it is not signed.
    ///
    /// - Throws: The errors of the compact form, and `unprotectedHeader`.
    package init(
        json bytes: [UInt8], maximumBytes: Int = defaultMaximumBytes
    ) throws(JOSEError) {
        let object = try JSONParser.joseObject(bytes, maximumBytes: maximumBytes)
        guard let payloadText = object["payload"]?.string else {
            throw JOSEError(.malformed, "payload is missing or not a string")
        }
        let payload = try Self.decode(Array(payloadText.utf8)[...], "payload")
        var signatures: [Signature] = []
        for entry in try Self.entries(of: object) {
            signatures.append(try Self.signature(entry, payload: payloadText))
        }
        guard let first = signatures.first else {
            throw JOSEError(.malformed, "there is no signature")
        }
        self.init(first: first, others: Array(signatures.dropFirst()), payload: payload)
    }

    /// The members of `signatures`, or the object itself when it is flattened.
    private static func entries(of object: JSONObject) throws(JOSEError) -> [JSONObject] {
        guard let list = object["signatures"] else { return [object] }
        let flattened = ["signature", "protected", "header"]
        guard flattened.allSatisfy({ object[$0] == nil }) else {
            throw JOSEError(.malformed, "flattened and general form are mixed")
        }
        guard let entries = list.array?.map(\.object), entries.count <= maximumSignatures else {
            throw JOSEError(.malformed, "signatures is not a short array")
        }
        let objects = entries.compactMap { $0 }
        guard objects.count == entries.count else {
            throw JOSEError(.malformed, "a signature is not an object")
        }
        return objects
    }

    private static func signature(
        _ entry: JSONObject, payload: String
    ) throws(JOSEError) -> Signature {
        guard let protected = entry["protected"]?.string,
            let signature = entry["signature"]?.string
        else { throw JOSEError(.malformed, "protected or signature is missing") }
        let letters = Array(protected.utf8)
        let header = try JOSEHeader(bytes: try decode(letters[...], "header"))
        let bytes = try decode(Array(signature.utf8)[...], "signature")
        return Signature(
            header: header, unprotectedKeyID: try unprotectedKeyID(entry, header),
            signingInput: letters + [UInt8(ascii: ".")] + Array(payload.utf8), bytes: bytes)
    }

    private static func unprotectedKeyID(
        _ entry: JSONObject, _ header: JOSEHeader
    ) throws(JOSEError) -> String? {
        guard let value = entry["header"] else { return nil }
        guard let unprotected = value.object else {
            throw JOSEError(.malformed, "header is not an object")
        }
        guard !unprotected.isEmpty else { return nil }
        guard unprotected.names == ["kid"], let keyID = unprotected["kid"]?.string,
            header.keyID == nil
        else {
            throw JOSEError(
                .unprotectedHeader, "only one kid is allowed in the unprotected header")
        }
        return keyID
    }
}
