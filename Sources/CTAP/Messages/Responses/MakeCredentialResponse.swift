// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// The reply to `authenticatorMakeCredential` (CTAP 2.2 section 6.1).
package struct MakeCredentialResponse: Sendable, Equatable {
    package var format: String
    /// The encoded authenticator data.
    package var authenticatorData: [UInt8]
    /// The map `attStmt`. CTAP 2.2 permits its absence, which means an empty map.
    package var attestationStatement: CBORValue
    package var enterpriseAttestation: Bool?
    /// 32 bytes.
    package var largeBlobKey: [UInt8]?
    package var unsignedExtensionOutputs: CBORValue?

    package init(
        format: String, authenticatorData: [UInt8], attestationStatement: CBORValue = .map([])
    ) {
        self.format = format
        self.authenticatorData = authenticatorData
        self.attestationStatement = attestationStatement
    }

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "makeCredentialResponse")
        format = try reader.required(try reader.text(1, "fmt"), "fmt")
        authenticatorData = try reader.required(try reader.bytes(2, "authData"), "authData")
        attestationStatement = .map(try reader.map(3, "attStmt")?.entries ?? [])
        enterpriseAttestation = try reader.bool(4, "epAtt")
        largeBlobKey = try reader.bytes(5, "largeBlobKey", lengths: 32...32)
        unsignedExtensionOutputs = try reader.map(6, "unsignedExtensionOutputs")
            .map { .map($0.entries) }
    }

    /// Canonical CBOR, without the status byte.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, text: format)
        writer.set(2, bytes: authenticatorData)
        writer.set(3, attestationStatement)
        writer.set(4, bool: enterpriseAttestation)
        writer.set(5, bytes: largeBlobKey)
        writer.set(6, unsignedExtensionOutputs)
        return writer.encoded
    }

    /// The attestation object that a relying party reads (WebAuthn section 6.5.4).
    package var attestationObject: [UInt8] {
        var writer = CTAPMapWriter()
        writer.set("fmt", text: format)
        writer.set("attStmt", attestationStatement)
        writer.set("authData", bytes: authenticatorData)
        return writer.encoded
    }
}
