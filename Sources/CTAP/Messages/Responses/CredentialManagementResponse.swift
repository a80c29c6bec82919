// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// The reply to `authenticatorCredentialManagement`.
package struct CredentialManagementResponse: Sendable, Equatable {
    package var existingResidentCredentialsCount: Int?
    package var maxPossibleRemainingResidentCredentialsCount: Int?
    package var rp: CTAPRelyingParty?
    package var rpIDHash: [UInt8]?
    package var totalRPs: Int?
    package var user: CTAPUser?
    package var credentialID: CTAPCredentialDescriptor?
    /// The COSE key, not validated.
    package var publicKey: CBORValue?
    package var totalCredentials: Int?
    package var credProtect: UInt8?
    package var largeBlobKey: [UInt8]?
    package var thirdPartyPayment: Bool?

    package init() {}

    /// Decodes a response. Empty input is an empty response, as deleteCredential has.
    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "credentialManagementResponse", allowsEmpty: true)
        existingResidentCredentialsCount = try reader.count(
            1, "existingResidentCredentialsCount")
        maxPossibleRemainingResidentCredentialsCount = try reader.count(
            2, "maxPossibleRemainingResidentCredentialsCount")
        if let value = reader.value(3) { rp = try CTAPRelyingParty(value) }
        rpIDHash = try reader.bytes(4, "rpIDHash", lengths: 32...32)
        totalRPs = try reader.count(5, "totalRPs")
        if let value = reader.value(6) { user = try CTAPUser(value) }
        if let value = reader.value(7) { credentialID = try CTAPCredentialDescriptor(value) }
        publicKey = reader.value(8)
        totalCredentials = try reader.count(9, "totalCredentials")
        credProtect = try reader.octet(0x0A, "credProtect")
        largeBlobKey = try reader.bytes(0x0B, "largeBlobKey", lengths: 32...32)
        thirdPartyPayment = try reader.bool(0x0C, "thirdPartyPayment")
    }

    /// Canonical CBOR, without the status byte; nothing for an empty reply.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, count: existingResidentCredentialsCount)
        writer.set(2, count: maxPossibleRemainingResidentCredentialsCount)
        writer.set(3, rp?.cbor)
        writer.set(4, bytes: rpIDHash)
        writer.set(5, count: totalRPs)
        writer.set(6, user?.cbor)
        writer.set(7, credentialID?.cbor)
        writer.set(8, publicKey)
        writer.set(9, count: totalCredentials)
        writer.set(0x0A, octet: credProtect)
        writer.set(0x0B, bytes: largeBlobKey)
        writer.set(0x0C, bool: thirdPartyPayment)
        return writer.entries.isEmpty ? [] : writer.encoded
    }
}
