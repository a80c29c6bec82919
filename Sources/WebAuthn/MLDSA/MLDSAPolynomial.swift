// SPDX-License-Identifier: Apache-2.0

/// A polynomial of degree below 256 with coefficients modulo q (FIPS 204 section 2.3), always
/// reduced to 0 ..< q; as itself or transformed, which only the caller knows.
struct MLDSAPolynomial: Sendable, Equatable {
    /// q, a prime.
    static let modulus: UInt32 = 8_380_417

    /// 256 numbers below q.
    var coefficients = [UInt32](repeating: 0, count: 256)

    /// The coefficient as a number around zero.
    static func centered(_ coefficient: UInt32) -> Int32 {
        let value = Int32(coefficient)
        return value > Int32(modulus) / 2 ? value - Int32(modulus) : value
    }

    /// A number of -q ..< q, reduced.
    static func reduced(_ value: Int32) -> UInt32 {
        UInt32(value < 0 ? value + Int32(modulus) : value)
    }

    static func add(_ left: UInt32, _ right: UInt32) -> UInt32 {
        let sum = left + right
        return sum >= modulus ? sum - modulus : sum
    }

    static func subtract(_ left: UInt32, _ right: UInt32) -> UInt32 {
        left >= right ? left - right : left + modulus - right
    }

    static func multiply(_ left: UInt32, _ right: UInt32) -> UInt32 {
        UInt32(UInt64(left) * UInt64(right) % UInt64(modulus))
    }

    /// Coefficient by coefficient; of transformed polynomials that is their product.
    static func * (left: Self, right: Self) -> Self {
        var product = Self()
        for index in 0..<256 {
            product.coefficients[index] = multiply(
                left.coefficients[index], right.coefficients[index])
        }
        return product
    }

    static func += (left: inout Self, right: Self) {
        for index in 0..<256 {
            left.coefficients[index] = add(left.coefficients[index], right.coefficients[index])
        }
    }

    static func -= (left: inout Self, right: Self) {
        for index in 0..<256 {
            left.coefficients[index] = subtract(
                left.coefficients[index], right.coefficients[index])
        }
    }
}

/// The number-theoretic transform (FIPS 204 section 7.5).
extension MLDSAPolynomial {
    /// Powers of 1753 in the order of reversed bits (appendix B).
    private static let roots: [UInt32] = (0..<256).map { index in
        let exponent = UInt8(index).bitsReversed
        return (0..<Int(exponent)).reduce(1) { power, _ in multiply(power, 1753) }
    }

    /// Algorithm 41.
    mutating func transform() {
        var root = 0
        var length = 128
        coefficients.withUnsafeMutableBufferPointer { w in
            while length >= 1 {
                for start in stride(from: 0, to: 256, by: 2 * length) {
                    root += 1
                    let zeta = Self.roots[root]
                    for index in start..<(start + length) {
                        let t = Self.multiply(zeta, w[index + length])
                        w[index + length] = Self.subtract(w[index], t)
                        w[index] = Self.add(w[index], t)
                    }
                }
                length /= 2
            }
        }
    }

    /// Algorithm 42.
    mutating func transformBack() {
        var root = 256
        var length = 1
        coefficients.withUnsafeMutableBufferPointer { w in
            while length < 256 {
                for start in stride(from: 0, to: 256, by: 2 * length) {
                    root -= 1
                    let zeta = Self.modulus - Self.roots[root]
                    for index in start..<(start + length) {
                        let t = w[index]
                        w[index] = Self.add(t, w[index + length])
                        w[index + length] = Self.multiply(
                            zeta, Self.subtract(t, w[index + length]))
                    }
                }
                length *= 2
            }
            // 256 inverted.
            for index in 0..<256 { w[index] = Self.multiply(8_347_681, w[index]) }
        }
    }
}

extension UInt8 {
    fileprivate var bitsReversed: UInt8 {
        (0..<8).reduce(0) { $0 | (self >> $1 & 1) << (7 - $1) }
    }
}
