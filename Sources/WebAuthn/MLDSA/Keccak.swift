// SPDX-License-Identifier: Apache-2.0

/// Keccak-p[1600, 24] (FIPS 202 section 3.3).
///
/// It dominates the cost of ML-DSA. The lanes are variables of structures, which the compiler
/// places in registers; an array takes three times as long.
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

    /// - Parameter state: 25 lanes, row by row.
    static func permute(_ state: inout [UInt64]) {
        var lanes = KeccakLanes(state)
        for constant in roundConstants {
            lanes = lanes.theta().rhoAndPi().chi()
            // iota
            lanes.y0.x0 ^= constant
        }
        lanes.write(to: &state)
    }
}

/// The 25 lanes: five rows, y from 0 to 4.
private struct KeccakLanes {
    var y0, y1, y2, y3, y4: KeccakRow

    @inline(__always)
    init(_ y0: KeccakRow, _ y1: KeccakRow, _ y2: KeccakRow, _ y3: KeccakRow, _ y4: KeccakRow) {
        (self.y0, self.y1, self.y2, self.y3, self.y4) = (y0, y1, y2, y3, y4)
    }

    @inline(__always)
    init(_ state: [UInt64]) {
        self.init(
            KeccakRow(state, 0), KeccakRow(state, 5), KeccakRow(state, 10), KeccakRow(state, 15),
            KeccakRow(state, 20))
    }

    @inline(__always)
    func write(to state: inout [UInt64]) {
        y0.write(to: &state, 0)
        y1.write(to: &state, 5)
        y2.write(to: &state, 10)
        y3.write(to: &state, 15)
        y4.write(to: &state, 20)
    }

    /// Adds two columns to every lane (section 3.2.1).
    @inline(__always)
    func theta() -> KeccakLanes {
        let columns = y0 ^ y1 ^ y2 ^ y3 ^ y4
        let change = KeccakRow(
            columns.x4 ^ turned(columns.x1, 1), columns.x0 ^ turned(columns.x2, 1),
            columns.x1 ^ turned(columns.x3, 1), columns.x2 ^ turned(columns.x4, 1),
            columns.x3 ^ turned(columns.x0, 1))
        return KeccakLanes(
            y0 ^ change, y1 ^ change, y2 ^ change, y3 ^ change, y4 ^ change)
    }

    /// Rotates every lane by a lane-specific amount and moves it to another position (sections
    /// 3.2.2, 3.2.3).
    @inline(__always)
    func rhoAndPi() -> KeccakLanes {
        KeccakLanes(
            KeccakRow(
                y0.x0, turned(y1.x1, 44), turned(y2.x2, 43), turned(y3.x3, 21), turned(y4.x4, 14)),
            KeccakRow(
                turned(y0.x3, 28), turned(y1.x4, 20), turned(y2.x0, 3), turned(y3.x1, 45),
                turned(y4.x2, 61)),
            KeccakRow(
                turned(y0.x1, 1), turned(y1.x2, 6), turned(y2.x3, 25), turned(y3.x4, 8),
                turned(y4.x0, 18)),
            KeccakRow(
                turned(y0.x4, 27), turned(y1.x0, 36), turned(y2.x1, 10), turned(y3.x2, 15),
                turned(y4.x3, 56)),
            KeccakRow(
                turned(y0.x2, 62), turned(y1.x3, 55), turned(y2.x4, 39), turned(y3.x0, 41),
                turned(y4.x1, 2)))
    }

    /// The only step that is not linear, row by row (section 3.2.4).
    @inline(__always)
    func chi() -> KeccakLanes { KeccakLanes(y0.chi(), y1.chi(), y2.chi(), y3.chi(), y4.chi()) }

    @inline(__always)
    private func turned(_ lane: UInt64, _ count: UInt64) -> UInt64 {
        lane &<< count | lane &>> (64 &- count)
    }
}

/// Five lanes, x from 0 to 4.
private struct KeccakRow {
    var x0, x1, x2, x3, x4: UInt64

    @inline(__always)
    init(_ x0: UInt64, _ x1: UInt64, _ x2: UInt64, _ x3: UInt64, _ x4: UInt64) {
        (self.x0, self.x1, self.x2, self.x3, self.x4) = (x0, x1, x2, x3, x4)
    }

    @inline(__always)
    init(_ state: [UInt64], _ first: Int) {
        self.init(
            state[first], state[first + 1], state[first + 2], state[first + 3], state[first + 4])
    }

    @inline(__always)
    func write(to state: inout [UInt64], _ first: Int) {
        state[first] = x0
        state[first + 1] = x1
        state[first + 2] = x2
        state[first + 3] = x3
        state[first + 4] = x4
    }

    @inline(__always)
    func chi() -> KeccakRow {
        KeccakRow(
            x0 ^ (~x1 & x2), x1 ^ (~x2 & x3), x2 ^ (~x3 & x4), x3 ^ (~x4 & x0), x4 ^ (~x0 & x1))
    }

    @inline(__always)
    static func ^ (left: KeccakRow, right: KeccakRow) -> KeccakRow {
        KeccakRow(
            left.x0 ^ right.x0, left.x1 ^ right.x1, left.x2 ^ right.x2, left.x3 ^ right.x3,
            left.x4 ^ right.x4)
    }
}
