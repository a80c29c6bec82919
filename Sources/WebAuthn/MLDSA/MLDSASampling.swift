// SPDX-License-Identifier: Apache-2.0

/// Polynomials drawn from a hash (FIPS 204 section 7.3).
extension MLDSAPolynomial {
    /// Algorithm 30, `RejNTTPoly`: one element of A, transformed already.
    static func uniform(seed: ArraySlice<UInt8>, row: UInt8, column: UInt8) -> MLDSAPolynomial {
        var stream = SHAKE.shake128(seed + [column, row])
        var polynomial = MLDSAPolynomial()
        var count = 0
        while count < 256 {
            let bytes = (stream.byte(), stream.byte(), stream.byte())
            let value = UInt32(bytes.0) | UInt32(bytes.1) << 8 | UInt32(bytes.2 & 0x7F) << 16
            guard value < modulus else { continue }
            polynomial.coefficients[count] = value
            count += 1
        }
        return polynomial
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
