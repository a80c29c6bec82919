// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Base64 with padding (RFC 4648 section 4), as `x5c` and metadata statements use it.
package enum Base64 {
    /// The bytes that `text` spells, or `nil` when it is not canonical base64.
    ///
    /// - Parameter skippingWhitespace: Certificates in published metadata come with line breaks.
    package static func decode(_ text: String, skippingWhitespace: Bool = false) -> [UInt8]? {
        var letters: [UInt8] = []
        letters.reserveCapacity(text.utf8.count)
        var padding = 0
        var count = 0
        for letter in text.utf8 {
            switch letter {
            case 0x20, 0x09, 0x0A, 0x0D:
                guard skippingWhitespace else { return nil }
                continue
            case UInt8(ascii: "="): padding += 1
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            case _ where padding > 0: return nil
            case UInt8(ascii: "+"): letters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): letters.append(UInt8(ascii: "_"))
            default: letters.append(letter)
            }
            count += 1
        }
        guard count % 4 == 0, padding <= 2 else { return nil }
        return Base64URL.decode(bytes: letters)
    }

    /// With padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let letters = Base64URL.encodeBytes(bytes).map { letter in
            switch letter {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: letter
            }
        }
        let padding = String(repeating: "=", count: (4 - letters.count % 4) % 4)
        return String(decoding: letters, as: UTF8.self) + padding
    }
}
