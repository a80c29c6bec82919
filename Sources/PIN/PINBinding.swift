// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE
package import Primitives

/// The key and issuer to which every message, proof and sealed byte of a PIN is bound.
package struct PINBinding: Sendable, Hashable {
    /// The issuer identifier of the project.
    package let issuer: String
    package let keyID: PINKeyID

    package init(issuer: String, keyID: PINKeyID) {
        self.issuer = issuer
        self.keyID = keyID
    }
}

/// The name of a device key: its SHA-256 thumbprint (RFC 7638), 32 bytes.
///
/// One for each profile on each device, so two people on one device and one person on two devices
/// share nothing.
package struct PINKeyID: Sendable, Hashable {
    package static let length = 32
    package let bytes: [UInt8]

    package init(_ key: PublicJWK) { bytes = key.thumbprint }

    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Parses the Base64url form of `kid`.
    package init?(text: String) {
        guard let bytes = Base64URL.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    package var text: String { Base64URL.encode(bytes) }
}

/// A single-use value of the server: 32 bytes.
package struct PINNonce: Sendable, Hashable {
    package static let length = 32
    package let bytes: [UInt8]

    package init(random: some RandomSource) { bytes = random.bytes(Self.length) }

    package init?(text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    package var text: String { Base64URL.encode(bytes) }

    /// The stored form of the nonce: SHA-256.
    var fingerprint: [UInt8] { Array(SHA256.hash(data: bytes)) }
}
