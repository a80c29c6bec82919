// SPDX-License-Identifier: Apache-2.0

/// SHAKE128 and SHAKE256 (FIPS 202 section 6.2), which swift-crypto does not offer. It absorbs all
/// input first and then produces any number of bytes.
///
/// For public input only: memory is not wiped.
package struct SHAKE {
    private var lanes = [UInt64](repeating: 0, count: 25)
    /// Bytes that go in or out between two permutations, a multiple of 8.
    private let rate: Int
    private var position = 0

    package static func shake128(_ input: [UInt8]) -> SHAKE { SHAKE(rate: 168, input) }
    package static func shake256(_ input: [UInt8]) -> SHAKE { SHAKE(rate: 136, input) }

    private init(rate: Int, _ input: [UInt8]) {
        self.rate = rate
        input.withUnsafeBytes { absorb($0) }
        // The domain of SHAKE, 1111, then the padding 10*1.
        xor(0x1F, at: position)
        xor(0x80, at: rate - 1)
        permute()
    }

    /// Eight bytes at a time as long as there are eight: the position is a multiple of 8 then.
    private mutating func absorb(_ input: UnsafeRawBufferPointer) {
        var offset = 0
        while input.count - offset >= 8 {
            let lane = input.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            lanes[position >> 3] ^= UInt64(littleEndian: lane)
            offset += 8
            position += 8
            if position == rate { permute() }
        }
        for byte in input[offset...] {
            xor(byte, at: position)
            position += 1
        }
    }

    mutating func byte() -> UInt8 {
        if position == rate { permute() }
        defer { position += 1 }
        return UInt8(truncatingIfNeeded: lanes[position >> 3] >> UInt64(8 * (position & 7)))
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count { bytes.append(byte()) }
        return bytes
    }

    private mutating func xor(_ byte: UInt8, at index: Int) {
        lanes[index >> 3] ^= UInt64(byte) << UInt64(8 * (index & 7))
    }

    private mutating func permute() {
        Keccak.permute(&lanes)
        position = 0
    }
}
