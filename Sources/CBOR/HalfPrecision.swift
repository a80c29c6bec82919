// SPDX-License-Identifier: Apache-2.0

/// IEEE 754 binary16, which not every platform's Swift has as a type (RFC 8949 appendix D).
enum HalfPrecision {
    /// Returns the number of the sixteen bits.
    static func double(from bits: UInt16) -> Double {
        let exponent = Int(bits >> 10) & 0x1F
        let fraction = Double(bits & 0x3FF)
        let magnitude: Double =
            switch exponent {
            case 0: fraction * 0x1p-24
            case 31: fraction == 0 ? .infinity : .nan
            default:
                (fraction + 1024) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
            }
        return bits & 0x8000 == 0 ? magnitude : -magnitude
    }

    /// The sixteen bits of `number`, or `nil` when they would lose some of it.
    static func bits(of number: Double) -> UInt16? {
        if number.isNaN { return 0x7E00 }
        let sign: UInt16 = number.sign == .minus ? 0x8000 : 0
        if number.isInfinite { return sign | 0x7C00 }
        if number == 0 { return sign }
        // Below 2^-14 the unit in the last place stays 2^-24; above, it is 2^-10 of the exponent.
        let exponent = max(Int(number.exponent), -14)
        guard exponent <= 15 else { return nil }
        let units = number.magnitude * Double(sign: .plus, exponent: 10 - exponent, significand: 1)
        guard units == units.rounded(.towardZero), units < 2048 else { return nil }
        let whole = UInt16(units)
        return sign | (whole < 1024 ? whole : UInt16(exponent + 15) << 10 | (whole - 1024))
    }
}
