// SPDX-License-Identifier: Apache-2.0

/// Base64 with padding, RFC 4648 section 4, as HTTP Basic (RFC 7617) and PEM (RFC 7468) use it.
/// As strict as ``Base64URL``, whose letters it differs from in two.
package enum Base64 {
    /// The bytes that `text` spells; `nil` for foreign letters, wrong padding or stray bits.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var letters = Array(text.utf8)
        guard letters.count % 4 == 0 else { return nil }
        for _ in 0..<2 where letters.last == UInt8(ascii: "=") { letters.removeLast() }
        for index in letters.indices {
            switch letters[index] {
            case UInt8(ascii: "+"): letters[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): letters[index] = UInt8(ascii: "_")
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            default: break
            }
        }
        return Base64URL.decode(bytes: letters)
    }

    /// The base64 form of `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String {
        var letters = Base64URL.encodeBytes(bytes)
        for index in letters.indices {
            switch letters[index] {
            case UInt8(ascii: "-"): letters[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): letters[index] = UInt8(ascii: "/")
            default: break
            }
        }
        while letters.count % 4 != 0 { letters.append(UInt8(ascii: "=")) }
        return String(decoding: letters, as: UTF8.self)
    }
}
