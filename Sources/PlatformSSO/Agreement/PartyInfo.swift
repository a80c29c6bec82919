// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// PartyUInfo and PartyVInfo of the key derivation (RFC 7518 section 4.6.1): fields, each after its
/// length in four bytes.
///
/// The labels are Apple's and differ in case: `APPLE` before the sender's ephemeral key, `Apple`
/// before the recipient's key.
package struct PartyInfo: Sendable, Equatable {
    package let fields: [[UInt8]]

    package init(fields: [[UInt8]]) { self.fields = fields }

    /// Parses the bytes; `nil` if the lengths are inconsistent, or there are more than eight
    /// fields.
    package init?(bytes: [UInt8]) {
        var rest = bytes[...]
        var fields: [[UInt8]] = []
        while !rest.isEmpty {
            guard rest.count >= 4, fields.count < 8 else { return nil }
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= length else { return nil }
            fields.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        self.fields = fields
    }

    package var bytes: [UInt8] {
        fields.flatMap { field in
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: field.count).bigEndian) { Array($0) }
                + field
        }
    }

    package static let senderLabel = Array("APPLE".utf8)
    package static let recipientLabel = Array("Apple".utf8)
    /// The label in Apple's sample of an encrypted password; `loginRequestEncryptionAPVPrefix` sets
    /// it.
    package static let embeddedLabel = Array("APPLEEMBEDDED".utf8)

    /// Returns the `apu` of every encrypted message: 78 bytes on P-256.
    package static func sender(ephemeral key: PublicJWK) -> PartyInfo {
        PartyInfo(fields: [senderLabel, key.x963 ?? []])
    }

    /// Returns the `apv` of the requested response; with a UUID as nonce, 118 bytes.
    ///
    /// - Parameter nonce: The device's `nonce`, not the server's.
    package static func recipient(deviceEncryption key: PublicJWK, nonce: String) -> PartyInfo {
        PartyInfo(fields: [recipientLabel, key.x963 ?? [], Array(nonce.utf8)])
    }

    /// `apv` of an encrypted password.
    ///
    /// - Parameters:
    ///   - key: The provider's `loginRequestEncryptionPublicKey`.
    ///   - serverNonce: What the nonce endpoint gave, not the device's own nonce.
    package static func provider(
        encryption key: PublicJWK, serverNonce: String, label: [UInt8] = embeddedLabel
    ) -> PartyInfo {
        PartyInfo(fields: [label, key.x963 ?? [], Array(serverNonce.utf8)])
    }
}
