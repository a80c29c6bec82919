// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE
import Primitives

/// The name of a key in Platform SSO: the SHA-256 of its ANSI X9.63 point, 32 bytes.
///
/// On the wire it is text, and the parties spell it differently: macOS in padded base64, extensions
/// often in base64url. Two spellings of one digest are equal here, so compare these and never the
/// text. Registration recomputes the name from the key, or one device could take another's.
package struct KeyIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// 32 bytes.
    package let digest: [UInt8]

    /// Creates the identifier of the key; for RSA and Edwards keys, which Apple's documentation
    /// does not cover, the JWK thumbprint (RFC 7638).
    package init(_ key: PublicJWK) {
        digest = key.x963.map { Array(SHA256.hash(data: $0)) } ?? key.thumbprint
    }

    /// Parses a `kid`, in either alphabet, padded or not; `nil` if it is not a SHA-256 hash.
    package init?(_ text: String) {
        guard text.utf8.count <= 44, let digest = LenientBase64.decode(text), digest.count == 32
        else { return nil }
        self.digest = digest
    }

    /// Creates an identifier from the stored digest; `nil` unless it has 32 bytes.
    package init?(digest: [UInt8]) {
        guard digest.count == 32 else { return nil }
        self.digest = digest
    }

    /// The form of macOS: Base64 with padding, 44 characters.
    package var description: String { Base64.encode(digest) }

    /// Verifies the name that a registration states for a key.
    ///
    /// - Throws: `keyIDMalformed`, `keyIDMismatch`.
    package static func confirm(
        _ text: String, of key: PublicJWK
    ) throws(PlatformSSORefusal) -> KeyIdentifier {
        guard let claimed = KeyIdentifier(text) else {
            throw PlatformSSORefusal(.keyIDMalformed, "the kid is not a SHA-256 hash in Base64")
        }
        guard claimed == KeyIdentifier(key) else {
            throw PlatformSSORefusal(.keyIDMismatch, "the kid belongs to another key")
        }
        return claimed
    }
}
