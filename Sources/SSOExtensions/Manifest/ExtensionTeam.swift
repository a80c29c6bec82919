// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The signer of extensions. On Apple's systems Apple assigns team identifiers. Here a team
/// identifier is derived from a key, so that `TeamIdentifier` in a profile pins the key.
package enum ExtensionTeam {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// The first 160 bits of the key's thumbprint (RFC 7638) in Base 32 (RFC 4648 section 6):
    /// 32 capitals and digits.
    package static func identifier(of key: PublicJWK) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in key.thumbprint.prefix(20) {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(letters[Int(bits >> count & 31)])
            }
            bits &= (1 << count) - 1
        }
        return String(decoding: text, as: UTF8.self)
    }
}
