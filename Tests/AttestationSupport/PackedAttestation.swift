// SPDX-License-Identifier: Apache-2.0
import Crypto

/// A `packed` statement of a maker's key (WebAuthn section 8.2), in CBOR.
package struct PackedAttestation: Sendable {
    private let key: P256.Signing.PrivateKey
    private let path: [[UInt8]]

    /// - Parameter path: DER, the attestation certificate first.
    package init(by issued: AttestationAuthority.Issued, path: [[UInt8]]) {
        key = issued.key
        self.path = path
    }

    /// - Parameter message: Authenticator data and the hash of the client data.
    package func statement(over message: [UInt8]) throws -> [UInt8] {
        let signature = Array(try key.signature(for: message).derRepresentation)
        let certificates = path.flatMap(Self.bytes)
        return [0xA3] + Self.text("alg") + [0x26] + Self.text("sig") + Self.bytes(signature)
            + Self.text("x5c") + [0x80 | UInt8(path.count)] + certificates
    }

    private static func text(_ text: String) -> [UInt8] {
        [0x60 | UInt8(text.utf8.count)] + Array(text.utf8)
    }

    private static func bytes(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt8(bytes.count & 0xFF)
        let head = bytes.count < 256 ? [0x58, length] : [0x59, UInt8(bytes.count >> 8), length]
        return head + bytes
    }
}
