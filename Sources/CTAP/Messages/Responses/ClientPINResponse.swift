// SPDX-License-Identifier: Apache-2.0

/// The reply to `authenticatorClientPIN`.
package struct ClientPINResponse: Sendable, Equatable {
    package var keyAgreement: KeyAgreementKey?
    /// Encrypted under the shared secret.
    package var pinUvAuthToken: [UInt8]?
    package var pinRetries: Int?
    /// Whether the authenticator must be unplugged before the next attempt.
    package var powerCycleState: Bool?
    package var uvRetries: Int?

    package init() {}

    /// Decodes a response. Empty input is an empty response, as setPIN has.
    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "clientPINResponse", allowsEmpty: true)
        if let value = reader.value(1) { keyAgreement = try KeyAgreementKey(value) }
        pinUvAuthToken = try reader.bytes(2, "pinUvAuthToken")
        pinRetries = try reader.count(3, "pinRetries", in: 0...255)
        powerCycleState = try reader.bool(4, "powerCycleState")
        uvRetries = try reader.count(5, "uvRetries", in: 0...255)
    }

    /// Canonical CBOR, without the status byte; nothing for an empty reply.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, keyAgreement?.cbor)
        writer.set(2, bytes: pinUvAuthToken)
        writer.set(3, count: pinRetries)
        writer.set(4, bool: powerCycleState)
        writer.set(5, count: uvRetries)
        return writer.entries.isEmpty ? [] : writer.encoded
    }
}
