// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A JWE that has been taken apart and not been decrypted (RFC 7516).
package struct UnverifiedJWE: Sendable {
    /// The protected header.
    package let header: JOSEHeader
    /// The unprotected header; in the JSON serialization only.
    private let unprotected: JSONObject
    let encryption: JWEEncryption
    let encryptedKey: [UInt8]
    let initializationVector: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]
    /// The additional authenticated data in Base64url (section 5.1 step 14).
    let authenticated: [UInt8]

    package static let defaultMaximumBytes = 65_536

    /// Reads the compact serialisation (section 7.1).
    ///
    /// - Throws: `tooLarge`, `malformed`, `invalidHeader`, `unsupportedCritical`,
    ///   `compressionNotAllowed`, `algorithmUnsupported` for an unknown `enc`.
    package init(
        compact bytes: [UInt8], maximumBytes: Int = defaultMaximumBytes
    ) throws(JOSEError) {
        guard bytes.count <= maximumBytes else { throw JOSEError(.tooLarge, "the JWE is too long") }
        let parts = bytes.split(
            separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 5 else {
            throw JOSEError(.malformed, "a compact JWE has five parts")
        }
        try self.init(
            protected: Array(parts[0]), encryptedKey: Self.decode(parts[1], "encrypted key"),
            initializationVector: Self.decode(parts[2], "initialization vector"),
            ciphertext: Self.decode(parts[3], "ciphertext"), tag: Self.decode(parts[4], "tag"),
            authenticated: Array(parts[0]))
    }

    package init(
        compact text: String, maximumBytes: Int = defaultMaximumBytes
    ) throws(JOSEError) {
        try self.init(compact: Array(text.utf8), maximumBytes: maximumBytes)
    }

    init(
        protected: [UInt8], encryptedKey: [UInt8], initializationVector: [UInt8],
        ciphertext: [UInt8], tag: [UInt8], authenticated: [UInt8],
        unprotected: JSONObject = JSONObject()
    ) throws(JOSEError) {
        header = try JOSEHeader(bytes: Self.decode(protected[...], "header"))
        guard header.members["zip"] == nil else {
            throw JOSEError(.compressionNotAllowed, "zip is present")
        }
        let reader = JSONReader(header.members) { JOSEError(.invalidHeader, $0.description) }
        guard let encryption = JWEEncryption(exactly: try reader.required("enc", .string)) else {
            throw JOSEError(.algorithmUnsupported, "no such content encryption here")
        }
        for name in unprotected.names { try Self.checkDisjoint(name, from: header.members) }
        self.unprotected = unprotected
        self.encryption = encryption
        self.encryptedKey = encryptedKey
        self.initializationVector = initializationVector
        self.ciphertext = ciphertext
        self.tag = tag
        self.authenticated = authenticated
    }

    /// Returns a parameter of key agreement from either header.
    func agreementParameter(_ name: String) -> JSONValue? {
        header.members[name] ?? unprotected[name]
    }

    static func decode(_ letters: ArraySlice<UInt8>, _ part: String) throws(JOSEError) -> [UInt8] {
        guard let bytes = Base64URL.decode(bytes: letters) else {
            throw JOSEError(.malformed, "the \(part) is not base64url")
        }
        return bytes
    }
}
