// SPDX-License-Identifier: Apache-2.0
import CBOR

/// `authenticatorCredentialManagement` (CTAP 2.2 section 6.8).
package struct CredentialManagementRequest: Sendable, Equatable {
    package enum Subcommand: UInt8, Sendable, CaseIterable {
        case getCredsMetadata = 0x01
        case enumerateRPsBegin = 0x02
        case enumerateRPsGetNextRP = 0x03
        case enumerateCredentialsBegin = 0x04
        case enumerateCredentialsGetNextCredential = 0x05
        case deleteCredential = 0x06
        case updateUserInformation = 0x07
    }

    package var subcommand: Subcommand
    /// SHA-256 of the RP ID, 32 bytes.
    package var rpIDHash: [UInt8]?
    package var credentialID: CTAPCredentialDescriptor?
    package var user: CTAPUser?
    package var pinUvAuthProtocol: UInt8?
    package var pinUvAuthParam: [UInt8]?
    /// The subcommand parameters as they were received, which is what is authenticated.
    private var receivedParameters: [UInt8]?

    package init(_ subcommand: Subcommand) { self.subcommand = subcommand }

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "credentialManagement")
        subcommand = try reader.required(try reader.subcommand(1), "subCommand")
        if let parameters = try reader.map(2, "subCommandParams") {
            rpIDHash = try parameters.bytes(1, "rpIDHash", lengths: 32...32)
            if let value = parameters.value(2) {
                credentialID = try CTAPCredentialDescriptor(value)
            }
            if let value = parameters.value(3) { user = try CTAPUser(value) }
            receivedParameters = CBORValue.map(parameters.entries).encoded(ordering: .ctap2)
        }
        pinUvAuthProtocol = try reader.octet(3, "pinUvAuthProtocol")
        pinUvAuthParam = try reader.bytes(4, "pinUvAuthParam")
    }

    private var parameters: CBORValue? {
        var writer = CTAPMapWriter()
        writer.set(1, bytes: rpIDHash)
        writer.set(2, credentialID?.cbor)
        writer.set(3, user?.cbor)
        return writer.entries.isEmpty ? nil : writer.cbor
    }

    /// Canonical CBOR, without the command byte.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, octet: subcommand.rawValue)
        writer.set(2, parameters)
        writer.set(3, octet: pinUvAuthProtocol)
        writer.set(4, bytes: pinUvAuthParam)
        return writer.encoded
    }

    /// The bytes that `pinUvAuthParam` authenticates (section 6.8).
    package var authenticatedBytes: [UInt8] {
        [subcommand.rawValue]
            + (receivedParameters ?? parameters?.encoded(ordering: .ctap2) ?? [])
    }
}
