// SPDX-License-Identifier: Apache-2.0

/// Bytes to polynomials and back (FIPS 204 section 7.1).
enum MLDSAEncoding {
    /// Algorithms 18 and 19, `SimpleBitUnpack` and `BitUnpack`: 256 numbers of `width` bits each,
    /// the lowest bit first, as `body` turns them into coefficients.
    ///
    /// - Parameters:
    ///   - bytes: 32 · `width` of them; others give a polynomial of zeros.
    ///   - width: At most 25.
    static func unpacked(
        _ bytes: ArraySlice<UInt8>, width: Int, _ body: (UInt32) -> UInt32
    ) -> MLDSAPolynomial {
        var polynomial = MLDSAPolynomial()
        guard bytes.count == 32 * width else { return polynomial }
        let mask = UInt32(1) << UInt32(width) - 1
        polynomial.coefficients.withUnsafeMutableBufferPointer { w in
            bytes.withUnsafeBytes { bytes in
                for index in 0..<256 {
                    // Four bytes that contain the number; at the end, the last four.
                    let bit = index &* width
                    let offset = min(bit >> 3, bytes.count &- 4)
                    let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let shift = UInt32(truncatingIfNeeded: bit &- offset &* 8)
                    w[index] = body(UInt32(littleEndian: word) >> shift & mask)
                }
            }
        }
        return polynomial
    }

    /// Algorithm 16, `SimpleBitPack`, of numbers of 4 or 6 bits, appended to `bytes`.
    static func pack(_ numbers: [UInt32], width: UInt32, to bytes: inout [UInt8]) {
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for number in numbers {
            buffer |= number << bits
            bits += width
            if bits >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: buffer))
                buffer >>= 8
                bits -= 8
            }
        }
    }

    /// Algorithm 21, `HintBitUnpack`: which coefficients of each row have a hint, or `nil` when
    /// the same hints could be written in another way.
    static func hints(
        _ bytes: ArraySlice<UInt8>, _ set: MLDSAParameterSet
    ) -> [[UInt8]]? {
        let places = Array(bytes.prefix(set.maximumHints))
        var hints: [[UInt8]] = []
        var start = 0
        for end in bytes.suffix(set.rows).map(Int.init) {
            guard start...set.maximumHints ~= end else { return nil }
            let row = Array(places[start..<end])
            guard zip(row, row.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
            hints.append(row)
            start = end
        }
        guard places[start...].allSatisfy({ $0 == 0 }) else { return nil }
        return hints
    }
}
