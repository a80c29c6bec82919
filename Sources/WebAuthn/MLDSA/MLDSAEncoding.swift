// SPDX-License-Identifier: Apache-2.0

/// Bytes to polynomials and back (FIPS 204 section 7.1).
enum MLDSAEncoding {
    /// 256 numbers of `width` bits each, the lowest bit first.
    static func unpacked(_ bytes: ArraySlice<UInt8>, width: Int) -> [UInt32] {
        var numbers: [UInt32] = []
        numbers.reserveCapacity(256)
        var buffer: UInt64 = 0
        var bits = 0
        for byte in bytes {
            buffer |= UInt64(byte) << UInt64(bits)
            bits += 8
            while bits >= width, numbers.count < 256 {
                numbers.append(UInt32(buffer & (1 << UInt64(width) - 1)))
                buffer >>= UInt64(width)
                bits -= width
            }
        }
        return numbers
    }

    /// Algorithm 16, `SimpleBitPack`.
    static func packed(_ numbers: [UInt32], width: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer: UInt64 = 0
        var bits = 0
        for number in numbers {
            buffer |= UInt64(number) << UInt64(bits)
            bits += width
            while bits >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: buffer))
                buffer >>= 8
                bits -= 8
            }
        }
        return bytes
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
