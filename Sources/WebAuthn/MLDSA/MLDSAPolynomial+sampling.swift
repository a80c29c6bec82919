// SPDX-License-Identifier: Apache-2.0

/// Polynomials drawn from a hash (FIPS 204 section 7.3).
extension MLDSAPolynomial {
    /// Samples one element of A in transformed form (algorithm 30, `RejNTTPoly`).
    ///
    /// SHAKE128 of 34 bytes, written in lanes: three lanes contain eight candidates of 24 bits, and
    /// the 21 lanes of a block contain 56. This takes half of the time of a verification.
    ///
    /// - Parameter seed: ρ, as four lanes.
    static func uniform(seed: [UInt64], row: Int, column: Int) -> MLDSAPolynomial {
        var lanes = seed + [UInt64](repeating: 0, count: 21)
        // Column and row, the domain of SHAKE, and the padding.
        lanes[4] = UInt64(column) | UInt64(row) << 8 | 0x1F_0000
        lanes[20] = 0x8000_0000_0000_0000
        var polynomial = MLDSAPolynomial()
        polynomial.coefficients.withUnsafeMutableBufferPointer { w in
            var count = 0
            while count < 256 {
                Keccak.permute(&lanes)
                for start in stride(from: 0, to: 21, by: 3) {
                    let (x, y, z) = (lanes[start], lanes[start + 1], lanes[start + 2])
                    accept(x, into: w, &count)
                    accept(x >> 24, into: w, &count)
                    accept(x >> 48 | y << 16, into: w, &count)
                    accept(y >> 8, into: w, &count)
                    accept(y >> 32, into: w, &count)
                    accept(y >> 56 | z << 8, into: w, &count)
                    accept(z >> 16, into: w, &count)
                    accept(z >> 40, into: w, &count)
                }
            }
        }
        return polynomial
    }

    /// Algorithm 14, `CoeffFromThreeBytes`: the lowest 23 bits, if they are below q.
    private static func accept(
        _ candidate: UInt64, into w: UnsafeMutableBufferPointer<UInt32>, _ count: inout Int
    ) {
        let value = UInt32(truncatingIfNeeded: candidate) & 0x7F_FFFF
        guard value < modulus, count < 256 else { return }
        w[count] = value
        count += 1
    }

    /// Algorithm 29, `SampleInBall`: the challenge, of so many coefficients 1 or -1.
    static func challenge(seed: ArraySlice<UInt8>, weight: Int) -> MLDSAPolynomial {
        var stream = SHAKE.shake256(Array(seed))
        var signs = stream.bytes(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var polynomial = MLDSAPolynomial()
        for index in (256 - weight)..<256 {
            var place = Int(stream.byte())
            while place > index { place = Int(stream.byte()) }
            polynomial.coefficients[index] = polynomial.coefficients[place]
            polynomial.coefficients[place] = signs & 1 == 0 ? 1 : modulus - 1
            signs >>= 1
        }
        return polynomial
    }
}
