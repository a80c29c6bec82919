// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Base64 as Platform SSO's parties write it: macOS in the standard alphabet with padding,
/// extensions often in base64url without (RFC 4648 sections 4 and 5).
package enum LenientBase64 {
    /// The bytes that `text` spells; `nil` when it mixes the alphabets, is padded wrongly, or holds
    /// anything else.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var letters = Array(text.utf8)
        let isPadded = letters.last == UInt8(ascii: "=")
        guard !isPadded || letters.count % 4 == 0 else { return nil }
        for _ in 0..<2 where letters.last == UInt8(ascii: "=") { letters.removeLast() }
        let isStandard = letters.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
        guard isStandard else { return Base64URL.decode(bytes: letters) }
        guard !letters.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
        else { return nil }
        return Base64URL.decode(
            bytes: letters.map { letter in
                switch letter {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: letter
                }
            })
    }
}
