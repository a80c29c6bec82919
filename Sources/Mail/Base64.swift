// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Base64 with padding, RFC 4648 section 4, as mail uses it.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        var letters = Base64URL.encodeBytes(bytes).map { letter in
            switch letter {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: letter
            }
        }
        while !letters.count.isMultiple(of: 4) { letters.append(UInt8(ascii: "=")) }
        return String(decoding: letters, as: UTF8.self)
    }
}
