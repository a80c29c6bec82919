// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A Base64 decoder for the forms of Platform SSO: macOS uses the standard alphabet with padding,
/// extensions often Base64url without (RFC 4648 sections 4 and 5).
package enum LenientBase64 {
    /// Returns the decoded bytes; `nil` if the text mixes the alphabets, has wrong padding, or
    /// contains other characters.
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
