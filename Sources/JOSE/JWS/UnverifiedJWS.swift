// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A JWS that has been taken apart and not been verified (RFC 7515): nothing in it is true yet.
package struct UnverifiedJWS: Sendable {
    /// One signature over the payload.
    package struct Signature: Sendable {
        package let header: JOSEHeader
        /// `kid` of the unprotected header: a lookup string, unsigned.
        let unprotectedKeyID: String?
        /// The signed bytes: protected header, dot, payload, in Base64url.
        let signingInput: [UInt8]
        let bytes: [UInt8]

        package var keyID: String? { header.keyID ?? unprotectedKeyID }
    }

    /// One for the compact and the flattened form, 1 to ``maximumSignatures`` for the general one.
    package let signatures: [Signature]
    /// The unverified payload.
    package let payload: [UInt8]

    /// The header of the first signature, for looking up keys before verification.
    package let header: JOSEHeader

    package static let defaultMaximumBytes = 65_536
    package static let maximumSignatures = 8

    init(first: Signature, others: [Signature] = [], payload: [UInt8]) {
        header = first.header
        signatures = [first] + others
        self.payload = payload
    }

    /// Reads the compact serialisation (section 7.1).
    ///
    /// - Throws: `tooLarge`, `malformed`, `invalidHeader`, `unsupportedCritical`.
    package init(
        compact bytes: [UInt8], maximumBytes: Int = defaultMaximumBytes
    ) throws(JOSEError) {
        guard bytes.count <= maximumBytes else { throw JOSEError(.tooLarge, "the JWS is too long") }
        let dot = UInt8(ascii: ".")
        guard let first = bytes.firstIndex(of: dot),
            let second = bytes[(first + 1)...].firstIndex(of: dot)
        else { throw JOSEError(.malformed, "a compact JWS has three parts") }
        let header = try Self.decode(bytes[..<first], "header")
        let payload = try Self.decode(bytes[(first + 1)..<second], "payload")
        // A further dot is not valid in Base64url, so a fourth part is refused here.
        let signature = try Self.decode(bytes[(second + 1)...], "signature")
        self.init(
            first: Signature(
                header: try JOSEHeader(bytes: header), unprotectedKeyID: nil,
                signingInput: Array(bytes[..<second]), bytes: signature),
            payload: payload)
    }

    package init(
        compact text: String, maximumBytes: Int = defaultMaximumBytes
    ) throws(JOSEError) {
        try self.init(compact: Array(text.utf8), maximumBytes: maximumBytes)
    }

    static func decode(_ letters: ArraySlice<UInt8>, _ part: String) throws(JOSEError) -> [UInt8] {
        guard let bytes = Base64URL.decode(bytes: letters) else {
            throw JOSEError(.malformed, "the \(part) is not base64url")
        }
        return bytes
    }
}
