// SPDX-License-Identifier: Apache-2.0

/// Base64 with padding, RFC 4648 section 4, for HTTP Basic (RFC 7617), PEM (RFC 7468) and `x5c`. It
/// is as strict as ``Base64URL``; the alphabets differ in two characters.
package enum Base64 {
    /// Returns the decoded bytes; `nil` for other characters, wrong padding or non-zero trailing
    /// bits.
    ///
    /// - Parameter skippingWhitespace: Some certificates are published with line breaks.
    package static func decode(
        _ text: some StringProtocol, skippingWhitespace: Bool = false
    ) -> [UInt8]? {
        // Doubly optional: `nil` outside means that the storage is not contiguous.
        let decoded: [UInt8]?? = text.utf8.withContiguousStorageIfAvailable {
            decode($0, skippingWhitespace)
        }
        return decoded
            ?? Array(text.utf8).withUnsafeBufferPointer { decode($0, skippingWhitespace) }
    }

    /// Decodes in one concrete loop: every request with HTTP Basic has one.
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>, _ skippingWhitespace: Bool
    ) -> [UInt8]? {
        var letters: [UInt8] = []
        letters.reserveCapacity(text.count)
        var padding = 0
        for letter in text {
            switch letter {
            case 0x20, 0x09, 0x0A, 0x0D:
                guard skippingWhitespace else { return nil }
            case UInt8(ascii: "="): padding += 1
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            case _ where padding > 0: return nil
            case UInt8(ascii: "+"): letters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): letters.append(UInt8(ascii: "_"))
            default: letters.append(letter)
            }
        }
        guard (letters.count + padding) % 4 == 0, padding <= 2 else { return nil }
        return Base64URL.decode(bytes: letters)
    }

    /// The base64 form of `bytes`.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var letters = Base64URL.encodeBytes(bytes).map { letter in
            switch letter {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: letter
            }
        }
        while letters.count % 4 != 0 { letters.append(UInt8(ascii: "=")) }
        return String(decoding: letters, as: UTF8.self)
    }
}
