// SPDX-License-Identifier: Apache-2.0

/// `authenticatorClientPIN` (CTAP 2.2 section 6.5.5).
package struct ClientPINRequest: Sendable, Equatable {
    package enum Subcommand: UInt8, Sendable, CaseIterable {
        case getPINRetries = 0x01
        case getKeyAgreement = 0x02
        case setPIN = 0x03
        case changePIN = 0x04
        case getPinToken = 0x05
        case getPinUvAuthTokenUsingUvWithPermissions = 0x06
        case getUVRetries = 0x07
        case getPinUvAuthTokenUsingPinWithPermissions = 0x09
    }

    package var subcommand: Subcommand
    package var pinUvAuthProtocol: UInt8?
    package var keyAgreement: KeyAgreementKey?
    package var pinUvAuthParam: [UInt8]?
    package var newPinEnc: [UInt8]?
    package var pinHashEnc: [UInt8]?
    /// Bit set of section 6.5.5.7.
    package var permissions: UInt8?
    /// The permissions RP ID.
    package var rpId: String?

    package init(_ subcommand: Subcommand, pinUvAuthProtocol: UInt8? = nil) {
        self.subcommand = subcommand
        self.pinUvAuthProtocol = pinUvAuthProtocol
    }

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "clientPIN")
        subcommand = try reader.required(try reader.subcommand(2), "subCommand")
        pinUvAuthProtocol = try reader.octet(1, "pinUvAuthProtocol")
        if let value = reader.value(3) { keyAgreement = try KeyAgreementKey(value) }
        pinUvAuthParam = try reader.bytes(4, "pinUvAuthParam")
        newPinEnc = try reader.bytes(5, "newPinEnc")
        pinHashEnc = try reader.bytes(6, "pinHashEnc")
        permissions = try reader.octet(9, "permissions")
        rpId = try reader.text(0x0A, "rpId")
    }

    /// Canonical CBOR, without the command byte.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, octet: pinUvAuthProtocol)
        writer.set(2, octet: subcommand.rawValue)
        writer.set(3, keyAgreement?.cbor)
        writer.set(4, bytes: pinUvAuthParam)
        writer.set(5, bytes: newPinEnc)
        writer.set(6, bytes: pinHashEnc)
        writer.set(9, octet: permissions)
        writer.set(0x0A, text: rpId)
        return writer.encoded
    }
}
