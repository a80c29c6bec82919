// SPDX-License-Identifier: Apache-2.0

/// The split of a coefficient into high and low bits: algorithm 36 of FIPS 204, `Decompose`, for
/// one of the two values of γ2.
package enum MLDSARounding: Sendable, CaseIterable {
    /// γ2 is (q - 1) / 88.
    case of88
    /// γ2 is (q - 1) / 32.
    case of32

    /// The number of values of the high bits: (q - 1) / 2γ2.
    var count: UInt32 { self == .of88 ? 44 : 16 }
    /// The number of bits of one value in `w1Encode`.
    var width: UInt32 { self == .of88 ? 6 : 4 }

    /// The high bits of a number below q. Multiplies by the inverse of 2γ2, in units of 2^7; a
    /// test compares with the division for every number.
    package func highBits(_ coefficient: UInt32) -> UInt32 {
        let units = (coefficient &+ 127) >> 7
        switch self {
        case .of88:
            let high = (units &* 11_275 &+ 1 << 23) >> 24
            return high == 44 ? 0 : high
        case .of32:
            return (units &* 1025 &+ 1 << 21) >> 22 & 15
        }
    }

    /// Whether the low bits of the coefficient with these high bits are above zero.
    package func isAbove(_ coefficient: UInt32, _ high: UInt32) -> Bool {
        let middle = high &* (self == .of88 ? 190_464 : 523_776)
        // High bits of 0 also represent the numbers just below q.
        return middle < coefficient
            && (high != 0 || coefficient <= (MLDSAPolynomial.modulus - 1) / 2)
    }
}
