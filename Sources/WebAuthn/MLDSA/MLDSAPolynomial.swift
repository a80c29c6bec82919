// SPDX-License-Identifier: Apache-2.0

/// A polynomial of degree below 256 with coefficients modulo q (FIPS 204 section 2.3). The caller
/// tracks whether it is transformed.
struct MLDSAPolynomial: Sendable, Equatable {
    /// q, a prime below 2^23: 32 bits can represent 512 times as much.
    static let modulus: UInt32 = 8_380_417

    /// 256 numbers: below q, or below 17 q after ``transform()``.
    var coefficients = [UInt32](repeating: 0, count: 256)
}

/// The number-theoretic transform (FIPS 204 section 7.5).
///
/// Intermediate sums are not reduced, because all that eight layers add up fits into 32 bits. The
/// bounds in the comments apply to any input below q, so wrapping operators never wrap, except in
/// ``MLDSARoot/multiply(_:)``, where it is intended.
extension MLDSAPolynomial {
    /// Powers of 1753 in the order of reversed bits (appendix B).
    private static let roots: [MLDSARoot] = (0..<256).map { index in
        let exponent = UInt8(index).bitsReversed
        return MLDSARoot((0..<Int(exponent)).reduce(1) { power, _ in power * 1753 % modulus64 })
    }
    /// The negated roots, for the inverse transform.
    private static let negatedRoots: [MLDSARoot] = roots.map {
        MLDSARoot(modulus64 - UInt64($0.value))
    }
    /// 1/256.
    private static let inverse = MLDSARoot(8_347_681)
    private static let modulus64 = UInt64(modulus)

    /// Transforms the polynomial (algorithm 41). The input is below q and the output below 17 q:
    /// each layer adds 2 q.
    mutating func transform() {
        let double = 2 * Self.modulus
        coefficients.withUnsafeMutableBufferPointer { w in
            Self.roots.withUnsafeBufferPointer { roots in
                var (root, length) = (0, 128)
                while length >= 1 {
                    var start = 0
                    while start < 256 {
                        root += 1
                        let zeta = roots[root]
                        for index in start..<(start &+ length) {
                            let t = zeta.multiply(w[index &+ length])
                            w[index &+ length] = w[index] &+ double &- t
                            w[index] = w[index] &+ t
                        }
                        start += 2 * length
                    }
                    length /= 2
                }
            }
        }
    }

    /// Inverts the transform (algorithm 42). Input and output are below q: each layer doubles the
    /// bound, up to 256 q.
    mutating func transformBack() {
        coefficients.withUnsafeMutableBufferPointer { w in
            Self.negatedRoots.withUnsafeBufferPointer { roots in
                var (root, length) = (256, 1)
                while length < 256 {
                    // After so many layers everything is below length · q.
                    let bound = UInt32(length) * Self.modulus
                    var start = 0
                    while start < 256 {
                        root -= 1
                        let zeta = roots[root]
                        for index in start..<(start &+ length) {
                            let (t, u) = (w[index], w[index &+ length])
                            w[index] = t &+ u
                            w[index &+ length] = zeta.multiply(t &+ bound &- u)
                        }
                        start += 2 * length
                    }
                    length *= 2
                }
            }
            for index in 0..<256 {
                let value = Self.inverse.multiply(w[index])
                w[index] = value >= Self.modulus ? value &- Self.modulus : value
            }
        }
    }
}

/// A constant factor with its precomputed quotient by q (Shoup multiplication).
struct MLDSARoot: Sendable {
    let value: UInt32
    /// value · 2^32 / q, rounded down.
    private let quotient: UInt32

    /// - Parameter value: A number below q.
    init(_ value: UInt64) {
        self.value = UInt32(truncatingIfNeeded: value)
        quotient = UInt32(truncatingIfNeeded: (value << 32) / UInt64(MLDSAPolynomial.modulus))
    }

    /// The product modulo q with any number at all, below 2 q. The two products agree in their
    /// upper bits, so that their lower 32 are enough for the difference.
    func multiply(_ number: UInt32) -> UInt32 {
        let wholes = UInt32(
            truncatingIfNeeded: (UInt64(quotient) &* UInt64(number)) >> 32)
        return value &* number &- wholes &* MLDSAPolynomial.modulus
    }
}

extension UInt8 {
    fileprivate var bitsReversed: UInt8 {
        (0..<8).reduce(0) { $0 | (self >> $1 & 1) << (7 - $1) }
    }
}
