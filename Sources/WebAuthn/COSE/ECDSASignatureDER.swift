// SPDX-License-Identifier: Apache-2.0

/// `Ecdsa-Sig-Value` (RFC 3279 section 2.2.3) in canonical DER: two positive integers in their
/// shortest form, without trailing bytes.
enum ECDSASignatureDER {
    /// `r` and `s` side by side, each of `coordinateLength` bytes, or `nil` when the bytes are not
    /// the DER of two numbers from 1 up to that length.
    static func raw(_ der: ArraySlice<UInt8>, coordinateLength: Int) -> [UInt8]? {
        var rest = der
        guard let content = element(0x30, from: &rest), rest.isEmpty else { return nil }
        var numbers = content
        guard let r = positiveInteger(from: &numbers), r.count <= coordinateLength,
            let s = positiveInteger(from: &numbers), s.count <= coordinateLength,
            numbers.isEmpty
        else { return nil }
        var raw = [UInt8](repeating: 0, count: coordinateLength * 2)
        raw.replaceSubrange((coordinateLength - r.count)..<coordinateLength, with: r)
        raw.replaceSubrange((coordinateLength * 2 - s.count)..., with: s)
        return raw
    }

    /// Removes the element with that tag from the front of `bytes`, and returns its content.
    private static func element(
        _ tag: UInt8, from bytes: inout ArraySlice<UInt8>
    ) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            // One length byte reaches 255, and P-521 needs at most 139.
            guard first == 0x81, let long = bytes.popFirst(), long >= 0x80 else { return nil }
            length = Int(long)
        }
        guard length <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }

    private static func positiveInteger(
        from bytes: inout ArraySlice<UInt8>
    ) -> ArraySlice<UInt8>? {
        guard let content = element(0x02, from: &bytes), let first = content.first else {
            return nil
        }
        if first >= 0x80 { return nil }
        guard first == 0 else { return content }
        // A leading zero occurs only before a high bit; zero itself is not a valid part of a
        // signature.
        let number = content.dropFirst()
        guard let high = number.first, high >= 0x80 else { return nil }
        return number
    }
}
