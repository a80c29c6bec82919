// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE
import OAuth
import Primitives

/// The name of a key in Platform SSO: the SHA-256 of its ANSI X9.63 point, 32 bytes.
///
/// On the wire it is text, and the parties spell it differently: macOS in padded base64, extensions
/// often in base64url. Two spellings of one digest are equal here, so compare these and never the
/// text. Registration recomputes the name from the key, or one device could take another's.
package struct KeyIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// 32 bytes.
    package let digest: [UInt8]

    /// The name of that key; of RSA and Edwards keys, which Apple's documentation leaves open, that
    /// of their JWK thumbprint (RFC 7638).
    package init(_ key: PublicJWK) {
        digest = key.x963.map { Array(SHA256.hash(data: $0)) } ?? key.thumbprint
    }

    /// A `kid` as written, in either alphabet, padded or not; `nil` when it is no SHA-256.
    package init?(_ text: String) {
        guard text.utf8.count <= 44, let digest = LenientBase64.decode(text), digest.count == 32
        else { return nil }
        self.digest = digest
    }

    /// The digest as it is stored; `nil` unless there are 32 bytes.
    package init?(digest: [UInt8]) {
        guard digest.count == 32 else { return nil }
        self.digest = digest
    }

    /// As macOS spells it: base64 with padding, 44 letters.
    package var description: String { Base64.encode(digest) }

    /// Refuses a name that a registration gives to a key whose name it is not.
    ///
    /// - Throws: `keyIDMalformed`, `keyIDMismatch`.
    package static func confirm(
        _ text: String, of key: PublicJWK
    ) throws(PlatformSSORefusal) -> KeyIdentifier {
        guard let claimed = KeyIdentifier(text) else {
            throw PlatformSSORefusal(.keyIDMalformed, "the kid is no SHA-256 in base64")
        }
        guard claimed == KeyIdentifier(key) else {
            throw PlatformSSORefusal(.keyIDMismatch, "the kid belongs to another key")
        }
        return claimed
    }
}
