// SPDX-License-Identifier: Apache-2.0
import Crypto

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
        text(parts.reduce(bytes(url, in: urls)) { bytes($1, in: $0) })
    }

    private static func bytes(_ name: String, in namespace: [UInt8]) -> [UInt8] {
        var digest = Array(Insecure.SHA1.hash(data: namespace + Array(name.utf8)).prefix(16))
        digest[6] = digest[6] & 0x0F | 0x50
        digest[8] = digest[8] & 0x3F | 0x80
        return digest
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let hyphens: Set<Int> = [4, 6, 8, 10]

    private static func text(_ bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if hyphens.contains(index) { letters.append(UInt8(ascii: "-")) }
            letters += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Whether the text has the form of a UUID, of any version.
    package static func isUUID(_ text: String) -> Bool {
        let letters = Array(text.utf8)
        return letters.count == 36
            && letters.enumerated().allSatisfy { index, letter in
                switch index {
                case 8, 13, 18, 23: letter == UInt8(ascii: "-")
                default: digits.contains(0x61...0x66 ~= letter ? letter & 0xDF : letter)
                }
            }
    }
}
