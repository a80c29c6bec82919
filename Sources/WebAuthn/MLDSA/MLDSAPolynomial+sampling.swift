// SPDX-License-Identifier: Apache-2.0

/// Polynomials drawn from a hash (FIPS 204 section 7.3).
extension MLDSAPolynomial {
    /// Samples one element of A in transformed form (algorithm 30, `RejNTTPoly`).
    ///
    /// Hashes for 280 candidates of 24 bits, and for twice as many if fewer than 256 are below q.
    static func uniform(
        seed: ArraySlice<UInt8>, row: Int, column: Int
    ) throws -> MLDSAPolynomial {
        let input = seed + [UInt8(column), UInt8(row)]
        var polynomial = MLDSAPolynomial()
        var (length, count) = (3 * 280, 0)
        repeat {
            count = polynomial.accept(try SHAKE.shake128.bytes(length, of: Array(input)))
            length *= 2
        } while count < 256
        return polynomial
    }

    /// Algorithm 14, `CoeffFromThreeBytes`, on all of the bytes: the lowest 23 bits, if they are
    /// below q.
    ///
    /// - Returns: How many coefficients are set.
    private mutating func accept(_ bytes: [UInt8]) -> Int {
        coefficients.withUnsafeMutableBufferPointer { w in
            bytes.withUnsafeBufferPointer { bytes in
                var (start, count) = (0, 0)
                while start < bytes.count, count < 256 {
                    let value =
                        UInt32(bytes[start]) | UInt32(bytes[start &+ 1]) << 8
                        | UInt32(bytes[start &+ 2] & 0x7F) << 16
                    // Written in any case, so that nothing branches on it.
                    w[count] = value
                    count &+= value < Self.modulus ? 1 : 0
                    start &+= 3
                }
                return count
            }
        }
    }

    /// Algorithm 29, `SampleInBall`: the challenge, of so many coefficients 1 or -1.
    ///
    /// Hashes for 128 candidates, and for twice as many if these are too few.
    static func challenge(seed: ArraySlice<UInt8>, weight: Int) throws -> MLDSAPolynomial {
        var length = 8 + 128
        while true {
            let bytes = try SHAKE.shake256.bytes(length, of: Array(seed))
            if let polynomial = challenge(bytes, weight: weight) { return polynomial }
            length *= 2
        }
    }

    /// `nil` when there are too few bytes: eight of signs, then places.
    private static func challenge(_ bytes: [UInt8], weight: Int) -> MLDSAPolynomial? {
        var signs = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var places = bytes.dropFirst(8).lazy.map(Int.init).makeIterator()
        var polynomial = MLDSAPolynomial()
        for index in (256 - weight)..<256 {
            var place = 256
            while place > index {
                guard let next = places.next() else { return nil }
                place = next
            }
            polynomial.coefficients[index] = polynomial.coefficients[place]
            polynomial.coefficients[place] = signs & 1 == 0 ? 1 : modulus - 1
            signs >>= 1
        }
        return polynomial
    }
}
