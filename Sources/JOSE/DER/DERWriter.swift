// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A writer of the few forms of DER (X.690 section 10) that certificates and signed messages
/// require.
package enum DERWriter {
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)] : [0x80 | UInt8(magnitude(count).count)] + magnitude(count)
        return [tag] + length + content
    }

    private static func magnitude(_ count: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(count).bigEndian) { Array($0.drop { $0 == 0 }) }
    }

    package static func sequence(_ elements: [[UInt8]]) -> [UInt8] {
        element(0x30, elements.flatMap { $0 })
    }

    /// A number without a sign.
    package static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        var bytes = Array(magnitude.drop { $0 == 0 })
        if bytes.isEmpty { bytes = [0] }
        return element(0x02, bytes[0] >= 0x80 ? [0] + bytes : bytes)
    }

    package static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    package static func objectIdentifier(_ arcs: [UInt64]) -> [UInt8] {
        let first = (arcs.first ?? 0) * 40 + (arcs.dropFirst().first ?? 0)
        return element(0x06, ([first] + arcs.dropFirst(2)).flatMap(base128))
    }

    private static func base128(_ number: UInt64) -> [UInt8] {
        var digits = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return digits
    }

    /// UTCTime until 2049, GeneralizedTime after (RFC 5280 section 4.1.2.5).
    package static func time(_ time: Timestamp) -> [UInt8] {
        let digits = Array(time.rfc3339.utf8.prefix(19).filter { $0 >= 0x30 && $0 <= 0x39 })
        let year = digits.prefix(4).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let zulu = digits + [UInt8(ascii: "Z")]
        return year < 2050 ? element(0x17, Array(zulu.dropFirst(2))) : element(0x18, zulu)
    }
}
