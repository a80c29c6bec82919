// SPDX-License-Identifier: Apache-2.0

/// The validation of Ed448 public keys (RFC 8032 section 5.2): see ``Ed25519Point``.
enum Ed448Point {
    /// Whether `y` is below the prime, the last byte contains only the sign of `x`, and the order
    /// of the point does not divide four: `y` is neither 0 nor 1 nor -1.
    ///
    /// - Parameter encoded: 57 bytes.
    static func isAcceptable(_ encoded: [UInt8]) -> Bool {
        guard encoded.count == 57, encoded[56] & 0x7F == 0 else { return false }
        let y = Array(encoded.prefix(56).reversed())
        guard isBelowPrime(y) else { return false }
        let isZeroOrOne = y.dropLast().allSatisfy { $0 == 0 } && y[55] <= 1
        let isMinusOne = y.elementsEqual(prime.dropLast() + [0xFE])
        return !isZeroOrOne && !isMinusOne
    }

    /// 2^448 - 2^224 - 1, big-endian.
    private static let prime =
        [UInt8](repeating: 0xFF, count: 27) + [0xFE] + [UInt8](repeating: 0xFF, count: 28)

    private static func isBelowPrime(_ y: [UInt8]) -> Bool { y.lexicographicallyPrecedes(prime) }
}
