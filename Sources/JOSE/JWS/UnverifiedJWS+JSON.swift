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
        let reader = JSONReader(object) { JOSEError(.malformed, $0.description) }
        let payloadText = try reader.required("payload", .string)
        let payload = try Self.decode(Array(payloadText.utf8)[...], "payload")
        var signatures: [Signature] = []
        for entry in try Self.entries(of: reader) {
            signatures.append(try Self.signature(entry, payload: payloadText))
        }
        guard let first = signatures.first else {
            throw JOSEError(.malformed, "there is no signature")
        }
        self.init(first: first, others: Array(signatures.dropFirst()), payload: payload)
    }

    /// The members of `signatures`, or the object itself when it is flattened.
    private static func entries(
        of reader: JSONReader<JOSEError>
    ) throws(JOSEError) -> [JSONReader<JOSEError>] {
        guard let list = try reader.optionalObjects("signatures", atMost: maximumSignatures) else {
            return [reader]
        }
        let flattened = ["signature", "protected", "header"]
        guard flattened.allSatisfy({ reader.object[$0] == nil }) else {
            throw JOSEError(.malformed, "flattened and general form are mixed")
        }
        return list
    }

    private static func signature(
        _ entry: JSONReader<JOSEError>, payload: String
    ) throws(JOSEError) -> Signature {
        let protected = try entry.required("protected", .string)
        let signature = try entry.required("signature", .string)
        let letters = Array(protected.utf8)
        let header = try JOSEHeader(bytes: try decode(letters[...], "header"))
        let bytes = try decode(Array(signature.utf8)[...], "signature")
        return Signature(
            header: header, unprotectedKeyID: try unprotectedKeyID(entry, header),
            signingInput: letters + [UInt8(ascii: ".")] + Array(payload.utf8), bytes: bytes)
    }

    private static func unprotectedKeyID(
        _ entry: JSONReader<JOSEError>, _ header: JOSEHeader
    ) throws(JOSEError) -> String? {
        guard let unprotected = try entry.optional("header", .object), !unprotected.isEmpty else {
            return nil
        }
        guard unprotected.names == ["kid"], let keyID = unprotected["kid"]?.string,
            header.keyID == nil
        else {
            throw JOSEError(
                .unprotectedHeader, "only one kid is allowed in the unprotected header")
        }
        return keyID
    }
}
