// SPDX-License-Identifier: Apache-2.0

/// Base64url without padding, RFC 4648 section 5, as RFC 7515 section 2 uses it.
///
/// Decoding is strict: padding, white space, other characters and non-zero trailing bits are
/// refused, so each byte string has exactly one encoding.
package enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { table[Int(letter)] = UInt8(value) }
        return table
    }()

    /// Returns the Base64url encoding of `bytes`, as ASCII.
    package static func encodeBytes(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        append(bytes, to: &output)
        return output
    }

    /// Appends the Base64url encoding of `bytes` to `output`.
    package static func append(_ bytes: some Collection<UInt8>, to output: inout [UInt8]) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { append($0, to: &output) }
        if done == nil { Array(bytes).withUnsafeBufferPointer { append($0, to: &output) } }
    }

    /// Appends in one concrete loop, which every token of every response uses.
    private static func append(
        _ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
    ) {
        let start = output.count
        let count = bytes.count / 3 * 4 + (bytes.count % 3 * 4 + 2) / 3
        output.append(contentsOf: repeatElement(0, count: count))
        alphabet.withUnsafeBufferPointer { letters in
            output.withUnsafeMutableBufferPointer { output in
                var place = start
                var buffer: UInt32 = 0
                var bits: UInt32 = 0
                for byte in bytes {
                    buffer = (buffer << 8) | UInt32(byte)
                    bits += 8
                    while bits >= 6 {
                        bits -= 6
                        output[place] = letters[Int((buffer >> bits) & 0x3F)]
                        place += 1
                    }
                }
                if bits > 0 { output[place] = letters[Int((buffer << (6 - bits)) & 0x3F)] }
            }
        }
    }

    /// The base64url form of `bytes`.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encodeBytes(bytes), as: UTF8.self)
    }

    /// The bytes that `text` spells, or `nil` when it is not canonical base64url.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        decode(bytes: text.utf8)
    }

    /// Returns the decoded bytes, or `nil` if the ASCII characters are not canonical Base64url.
    package static func decode(bytes letters: some Collection<UInt8>) -> [UInt8]? {
        // Doubly optional: `nil` outside means that the storage is not contiguous.
        let decoded: [UInt8]?? = letters.withContiguousStorageIfAvailable { decode($0) }
        return decoded ?? Array(letters).withUnsafeBufferPointer { decode($0) }
    }

    private static func decode(_ letters: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let table = values
        var output: [UInt8] = []
        output.reserveCapacity(letters.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for letter in letters {
            let value = table[Int(letter)]
            guard value != 0xFF else { return nil }
            buffer = (buffer << 6) | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        // A single character encodes no byte; remaining bits must be zero.
        guard bits < 6, buffer & ((1 << bits) - 1) == 0 else { return nil }
        return output
    }
}
