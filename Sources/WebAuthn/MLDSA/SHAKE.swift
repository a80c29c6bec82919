// SPDX-License-Identifier: Apache-2.0

/// SHAKE128 and SHAKE256 (FIPS 202 section 6.2), which swift-crypto does not offer. Absorbs all
/// of its input first, then gives as many bytes as anyone asks for.
///
/// Fit for public input only: nothing here is wiped.
package struct SHAKE {
    private var state = [UInt64](repeating: 0, count: 25)
    /// Bytes that go in or out between two permutations.
    private let rate: Int
    private var position = 0

    package static func shake128(_ input: [UInt8]) -> SHAKE { SHAKE(rate: 168, input) }
    package static func shake256(_ input: [UInt8]) -> SHAKE { SHAKE(rate: 136, input) }

    private init(rate: Int, _ input: [UInt8]) {
        self.rate = rate
        for byte in input {
            xor(byte, at: position)
            position += 1
            if position == rate { permute() }
        }
        // The domain of SHAKE, 1111, then the padding 10*1.
        xor(0x1F, at: position)
        xor(0x80, at: rate - 1)
        permute()
    }

    mutating func byte() -> UInt8 {
        if position == rate { permute() }
        defer { position += 1 }
        return UInt8(truncatingIfNeeded: state[position >> 3] >> UInt64(8 * (position & 7)))
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count { bytes.append(byte()) }
        return bytes
    }

    private mutating func xor(_ byte: UInt8, at index: Int) {
        state[index >> 3] ^= UInt64(byte) << UInt64(8 * (index & 7))
    }

    private mutating func permute() {
        Keccak.permute(&state)
        position = 0
    }
}

/// Keccak-p[1600, 24] (FIPS 202 section 3.3).
enum Keccak {
    private static let roundConstants: [UInt64] = [
        0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808A,
        0x8000_0000_8000_8000, 0x0000_0000_0000_808B, 0x0000_0000_8000_0001,
        0x8000_0000_8000_8081, 0x8000_0000_0000_8009, 0x0000_0000_0000_008A,
        0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000A,
        0x0000_0000_8000_808B, 0x8000_0000_0000_008B, 0x8000_0000_0000_8089,
        0x8000_0000_0000_8003, 0x8000_0000_0000_8002, 0x8000_0000_0000_0080,
        0x0000_0000_0000_800A, 0x8000_0000_8000_000A, 0x8000_0000_8000_8081,
        0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
    ]
    /// Where rho and pi take each lane, beginning with lane 1, and how far they turn it.
    private static let lanes = [
        10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
    ]
    private static let turns: [UInt64] = [
        1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
    ]

    /// - Parameter state: 25 lanes.
    static func permute(_ state: inout [UInt64]) {
        state.withUnsafeMutableBufferPointer { lanes in
            for constant in roundConstants {
                theta(lanes)
                rhoPi(lanes)
                chi(lanes)
                lanes[0] ^= constant
            }
        }
    }

    private static func turned(_ lane: UInt64, _ count: UInt64) -> UInt64 {
        lane << count | lane >> (64 - count)
    }

    private static func theta(_ a: UnsafeMutableBufferPointer<UInt64>) {
        let c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20]
        let c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21]
        let c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22]
        let c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23]
        let c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24]
        let (d0, d1, d2) = (c4 ^ turned(c1, 1), c0 ^ turned(c2, 1), c1 ^ turned(c3, 1))
        let (d3, d4) = (c2 ^ turned(c4, 1), c3 ^ turned(c0, 1))
        for row in stride(from: 0, to: 25, by: 5) {
            a[row] ^= d0
            a[row + 1] ^= d1
            a[row + 2] ^= d2
            a[row + 3] ^= d3
            a[row + 4] ^= d4
        }
    }

    private static func rhoPi(_ a: UnsafeMutableBufferPointer<UInt64>) {
        var moving = a[1]
        for index in 0..<24 {
            let lane = lanes[index]
            let next = a[lane]
            a[lane] = turned(moving, turns[index])
            moving = next
        }
    }

    private static func chi(_ a: UnsafeMutableBufferPointer<UInt64>) {
        for row in stride(from: 0, to: 25, by: 5) {
            let (b0, b1, b2, b3, b4) = (a[row], a[row + 1], a[row + 2], a[row + 3], a[row + 4])
            a[row] = b0 ^ (~b1 & b2)
            a[row + 1] = b1 ^ (~b2 & b3)
            a[row + 2] = b2 ^ (~b3 & b4)
            a[row + 3] = b3 ^ (~b4 & b0)
            a[row + 4] = b4 ^ (~b0 & b1)
        }
    }
}
