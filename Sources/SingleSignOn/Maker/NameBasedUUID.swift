// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// A generator of name-based UUIDs (RFC 9562 section 5.5): the same names result in the same UUID,
/// so a rebuilt profile replaces the earlier one.
package enum NameBasedUUID {
    /// The namespace of URLs, RFC 9562 section 6.6.
    private static let urls: [UInt8] = [
        0x6B, 0xA7, 0xB8, 0x11, 0x9D, 0xAD, 0x11, 0xD1,
        0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8,
    ]

    /// Returns the UUID of the URL and then of each part within it, in capitals as `uuidgen` writes
    /// it.
    package static func uuid(url: String, parts: [String] = []) -> String {
        UUIDText.encode(parts.reduce(bytes(url, in: urls)) { bytes($1, in: $0) }, .upper)
    }

    private static func bytes(_ name: String, in namespace: [UInt8]) -> [UInt8] {
        let digest = Insecure.SHA1.hash(data: namespace + Array(name.utf8))
        return UUIDText.marked(Array(digest.prefix(16)), version: 5)
    }
}
