// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// The reply to `authenticatorGetAssertion` and `authenticatorGetNextAssertion` (CTAP 2.2
/// sections 6.2 and 6.3).
package struct GetAssertionResponse: Sendable, Equatable {
    /// May be absent when the allow list had exactly one entry (CTAP 2.0).
    package var credential: CTAPCredentialDescriptor?
    /// The encoded authenticator data.
    package var authenticatorData: [UInt8]
    package var signature: [UInt8]
    package var user: CTAPUser?
    /// The number of all assertions; only in the first response, and only if above one.
    package var numberOfCredentials: Int?
    /// Whether the person has chosen the account on the authenticator itself.
    package var userSelected: Bool?
    /// 32 bytes.
    package var largeBlobKey: [UInt8]?
    package var unsignedExtensionOutputs: CBORValue?

    package init(
        credential: CTAPCredentialDescriptor?, authenticatorData: [UInt8], signature: [UInt8]
    ) {
        self.credential = credential
        self.authenticatorData = authenticatorData
        self.signature = signature
    }

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "getAssertionResponse")
        if let value = reader.value(1) { credential = try CTAPCredentialDescriptor(value) }
        authenticatorData = try reader.required(try reader.bytes(2, "authData"), "authData")
        signature = try reader.required(try reader.bytes(3, "signature"), "signature")
        if let value = reader.value(4) { user = try CTAPUser(value) }
        numberOfCredentials = try reader.count(5, "numberOfCredentials")
        userSelected = try reader.bool(6, "userSelected")
        largeBlobKey = try reader.bytes(7, "largeBlobKey", lengths: 32...32)
        unsignedExtensionOutputs = try reader.map(8, "unsignedExtensionOutputs")
            .map { .map($0.entries) }
    }

    /// Canonical CBOR, without the status byte.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, credential?.cbor)
        writer.set(2, bytes: authenticatorData)
        writer.set(3, bytes: signature)
        writer.set(4, user?.cbor)
        writer.set(5, count: numberOfCredentials)
        writer.set(6, bool: userSelected)
        writer.set(7, bytes: largeBlobKey)
        writer.set(8, unsignedExtensionOutputs)
        return writer.encoded
    }
}
