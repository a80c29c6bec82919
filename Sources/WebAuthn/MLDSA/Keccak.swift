// SPDX-License-Identifier: Apache-2.0

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

    /// One long function on purpose: with the lanes in variables instead of an array it runs three
    /// times as fast, and all of ML-DSA waits for it.
    ///
    /// - Parameter state: 25 lanes.
    static func permute(_ state: inout [UInt64]) {
        var (a0, a1, a2, a3, a4) = (
            state[0], state[1], state[2], state[3], state[4]
        )
        var (a5, a6, a7, a8, a9) = (
            state[5], state[6], state[7], state[8], state[9]
        )
        var (a10, a11, a12, a13, a14) = (
            state[10], state[11], state[12], state[13], state[14]
        )
        var (a15, a16, a17, a18, a19) = (
            state[15], state[16], state[17], state[18], state[19]
        )
        var (a20, a21, a22, a23, a24) = (
            state[20], state[21], state[22], state[23], state[24]
        )
        for constant in roundConstants {
            // theta
            let c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20
            let c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21
            let c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22
            let c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23
            let c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24
            let d0 = c4 ^ turned(c1, 1)
            let d1 = c0 ^ turned(c2, 1)
            let d2 = c1 ^ turned(c3, 1)
            let d3 = c2 ^ turned(c4, 1)
            let d4 = c3 ^ turned(c0, 1)
            // rho and pi, then chi, row by row
            let b0 = a0 ^ d0
            let b1 = turned(a6 ^ d1, 44)
            let b2 = turned(a12 ^ d2, 43)
            let b3 = turned(a18 ^ d3, 21)
            let b4 = turned(a24 ^ d4, 14)
            let b5 = turned(a3 ^ d3, 28)
            let b6 = turned(a9 ^ d4, 20)
            let b7 = turned(a10 ^ d0, 3)
            let b8 = turned(a16 ^ d1, 45)
            let b9 = turned(a22 ^ d2, 61)
            let b10 = turned(a1 ^ d1, 1)
            let b11 = turned(a7 ^ d2, 6)
            let b12 = turned(a13 ^ d3, 25)
            let b13 = turned(a19 ^ d4, 8)
            let b14 = turned(a20 ^ d0, 18)
            let b15 = turned(a4 ^ d4, 27)
            let b16 = turned(a5 ^ d0, 36)
            let b17 = turned(a11 ^ d1, 10)
            let b18 = turned(a17 ^ d2, 15)
            let b19 = turned(a23 ^ d3, 56)
            let b20 = turned(a2 ^ d2, 62)
            let b21 = turned(a8 ^ d3, 55)
            let b22 = turned(a14 ^ d4, 39)
            let b23 = turned(a15 ^ d0, 41)
            let b24 = turned(a21 ^ d1, 2)
            a0 = b0 ^ (~b1 & b2)
            a1 = b1 ^ (~b2 & b3)
            a2 = b2 ^ (~b3 & b4)
            a3 = b3 ^ (~b4 & b0)
            a4 = b4 ^ (~b0 & b1)
            a5 = b5 ^ (~b6 & b7)
            a6 = b6 ^ (~b7 & b8)
            a7 = b7 ^ (~b8 & b9)
            a8 = b8 ^ (~b9 & b5)
            a9 = b9 ^ (~b5 & b6)
            a10 = b10 ^ (~b11 & b12)
            a11 = b11 ^ (~b12 & b13)
            a12 = b12 ^ (~b13 & b14)
            a13 = b13 ^ (~b14 & b10)
            a14 = b14 ^ (~b10 & b11)
            a15 = b15 ^ (~b16 & b17)
            a16 = b16 ^ (~b17 & b18)
            a17 = b17 ^ (~b18 & b19)
            a18 = b18 ^ (~b19 & b15)
            a19 = b19 ^ (~b15 & b16)
            a20 = b20 ^ (~b21 & b22)
            a21 = b21 ^ (~b22 & b23)
            a22 = b22 ^ (~b23 & b24)
            a23 = b23 ^ (~b24 & b20)
            a24 = b24 ^ (~b20 & b21)
            // iota
            a0 ^= constant
        }
        state[0] = a0
        state[1] = a1
        state[2] = a2
        state[3] = a3
        state[4] = a4
        state[5] = a5
        state[6] = a6
        state[7] = a7
        state[8] = a8
        state[9] = a9
        state[10] = a10
        state[11] = a11
        state[12] = a12
        state[13] = a13
        state[14] = a14
        state[15] = a15
        state[16] = a16
        state[17] = a17
        state[18] = a18
        state[19] = a19
        state[20] = a20
        state[21] = a21
        state[22] = a22
        state[23] = a23
        state[24] = a24
    }

    private static func turned(_ lane: UInt64, _ count: UInt64) -> UInt64 {
        lane << count | lane >> (64 - count)
    }
}
