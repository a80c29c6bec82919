// SPDX-License-Identifier: Apache-2.0

/// A sum of products of transformed polynomials, reduced only at its end.
///
/// A product is below 17² q², less than 2^55, and at most eight are added, so that wrapping
/// operators never wrap.
struct MLDSASum {
    private static let modulus = UInt64(MLDSAPolynomial.modulus)
    /// A multiple of q that no product exceeds.
    private static let bound = 17 * 17 * modulus * modulus

    private var numbers = [UInt64](repeating: 0, count: 256)

    mutating func add(_ left: MLDSAPolynomial, times right: MLDSAPolynomial) {
        update(left, right) { sum, product in sum &+ product }
    }

    mutating func subtract(_ left: MLDSAPolynomial, times right: MLDSAPolynomial) {
        update(left, right) { sum, product in sum &+ (Self.bound &- product) }
    }

    private mutating func update(
        _ left: MLDSAPolynomial, _ right: MLDSAPolynomial,
        _ body: (UInt64, UInt64) -> UInt64
    ) {
        numbers.withUnsafeMutableBufferPointer { sum in
            left.coefficients.withUnsafeBufferPointer { left in
                right.coefficients.withUnsafeBufferPointer { right in
                    for index in 0..<256 {
                        sum[index] = body(
                            sum[index], UInt64(left[index]) &* UInt64(right[index]))
                    }
                }
            }
        }
    }

    /// The sum, reduced.
    var polynomial: MLDSAPolynomial {
        var polynomial = MLDSAPolynomial()
        for index in 0..<256 {
            polynomial.coefficients[index] = UInt32(
                truncatingIfNeeded: numbers[index] % Self.modulus)
        }
        return polynomial
    }
}
