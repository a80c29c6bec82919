// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// Authenticator data (section 6.1), taken apart: what the authenticator signs.
package struct AuthenticatorData: Sendable {
    /// The whole, as it was signed.
    package let bytes: ArraySlice<UInt8>
    /// SHA-256 of the RP ID, 32 bytes.
    package let rpIdHash: ArraySlice<UInt8>
    package let flags: AuthenticatorFlags
    package let signCount: UInt32
    /// Present exactly when the AT flag is set.
    package let attestedCredential: AttestedCredentialData?
    /// The map of extension outputs, present exactly when the ED flag is set.
    package let extensions: ExtensionOutputs?

    /// Reads authenticator data, and refuses truncated and trailing bytes.
    package init(_ bytes: ArraySlice<UInt8>) throws(AuthenticatorDataError) {
        guard bytes.count >= 37 else { throw .truncated }
        self.bytes = bytes
        rpIdHash = bytes.prefix(32)
        flags = AuthenticatorFlags(rawValue: bytes[bytes.startIndex + 32])
        signCount = bytes.dropFirst(33).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes.dropFirst(37)
        attestedCredential =
            flags.contains(.attestedCredentialData) ? try AttestedCredentialData(&rest) : nil
        extensions = flags.contains(.extensionData) ? try ExtensionOutputs(&rest) : nil
        guard rest.isEmpty else { throw .trailingBytes }
    }
}

/// An error of decoding authenticator data.
package enum AuthenticatorDataError: Error, Sendable, Equatable {
    case truncated
    case trailingBytes
    /// The credential public key is not canonical CBOR.
    case publicKeyEncoding(CBORError)
    /// The extension outputs are not a canonical CBOR map with text keys.
    case extensionsEncoding
}

/// The new credential inside authenticator data (section 6.5.1).
package struct AttestedCredentialData: Sendable {
    package let aaguid: AAGUID
    package let credentialId: ArraySlice<UInt8>
    /// The COSE key as it was sent; section 7.1 stores these bytes.
    package let publicKeyBytes: ArraySlice<UInt8>
    /// The same, decoded but not verified.
    package let publicKey: CBORValue

    /// Reads the credential data from the front of `rest`.
    init(_ rest: inout ArraySlice<UInt8>) throws(AuthenticatorDataError) {
        guard let aaguid = AAGUID(rest.prefix(16)), rest.count >= 18 else { throw .truncated }
        self.aaguid = aaguid
        rest = rest.dropFirst(16)
        let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(2)
        guard rest.count >= length else { throw .truncated }
        credentialId = rest.prefix(length)
        rest = rest.dropFirst(length)
        do {
            let (key, following) = try CBORValue.decodePrefix(rest, profile: .ctap2)
            publicKey = key
            publicKeyBytes = rest[rest.startIndex..<following.startIndex]
            rest = following
        } catch { throw .publicKeyEncoding(error) }
    }
}

/// Authenticator extension outputs (section 9.5), not interpreted.
package struct ExtensionOutputs: Sendable, Equatable {
    /// The CBOR map as it was signed.
    package let bytes: ArraySlice<UInt8>
    /// Output by extension identifier.
    package let outputs: [CBOREntry]

    init(_ rest: inout ArraySlice<UInt8>) throws(AuthenticatorDataError) {
        do {
            let (value, following) = try CBORValue.decodePrefix(rest, profile: .ctap2)
            guard let entries = value.entries,
                entries.allSatisfy({ $0.key.textString != nil })
            else { throw AuthenticatorDataError.extensionsEncoding }
            outputs = entries
            bytes = rest[rest.startIndex..<following.startIndex]
            rest = following
        } catch { throw .extensionsEncoding }
    }
}
