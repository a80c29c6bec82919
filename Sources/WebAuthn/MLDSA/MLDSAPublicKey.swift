// SPDX-License-Identifier: Apache-2.0

/// Verification by ML-DSA (FIPS 204), for the one parameter set that no library here has. It
/// handles nothing secret. The larger sets are here to be compared with swift-crypto in tests.
package struct MLDSAPublicKey: Sendable {
    private let set: MLDSAParameterSet
    private let encoded: [UInt8]

    /// Every string of the right length is a key.
    package init?(_ encoded: [UInt8], _ set: MLDSAParameterSet) {
        guard encoded.count == set.publicKeyLength else { return nil }
        self.set = set
        self.encoded = encoded
    }

    /// Algorithm 3, `ML-DSA.Verify`, with an empty context.
    package func isValid(signature: ArraySlice<UInt8>, over message: [UInt8]) -> Bool {
        guard signature.count == set.signatureLength else { return false }
        let commitment = signature.prefix(set.challengeLength)
        guard let response = response(in: signature),
            let hints = MLDSAEncoding.hints(signature.suffix(set.maximumHints + set.rows), set)
        else { return false }
        // μ, of the key's hash and the message with its empty context.
        var keyHash = SHAKE.shake256(encoded)
        var stream = SHAKE.shake256(keyHash.bytes(64) + [0, 0] + message)
        var input = stream.bytes(64)
        // w1.
        for (row, approximation) in approximations(response, challenge: commitment).enumerated() {
            input += highBits(approximation, hints: hints[row])
        }
        var again = SHAKE.shake256(input)
        return again.bytes(set.challengeLength).elementsEqual(commitment)
    }

    /// z, or `nil` when a coefficient is γ1 - β or more.
    private func response(in signature: ArraySlice<UInt8>) -> [MLDSAPolynomial]? {
        let limit = set.responseBound - set.slack
        var rest = signature.dropFirst(set.challengeLength)
        var response: [MLDSAPolynomial] = []
        for _ in 0..<set.columns {
            var polynomial = MLDSAPolynomial()
            let numbers = MLDSAEncoding.unpacked(
                rest.prefix(set.responseLength), width: set.responseBits + 1)
            for (index, number) in numbers.enumerated() {
                let value = set.responseBound - Int32(number)
                guard -limit < value, value < limit else { return nil }
                polynomial.coefficients[index] = MLDSAPolynomial.reduced(value)
            }
            polynomial.transform()
            response.append(polynomial)
            rest = rest.dropFirst(set.responseLength)
        }
        return response
    }

    /// A·z - c·t1·2^13, row by row.
    private func approximations(
        _ response: [MLDSAPolynomial], challenge seed: ArraySlice<UInt8>
    ) -> [MLDSAPolynomial] {
        var challenge = MLDSAPolynomial.challenge(seed: seed, weight: set.challengeWeight)
        challenge.transform()
        return (0..<set.rows).map { row in
            var sum = MLDSAPolynomial()
            for (column, polynomial) in response.enumerated() {
                let element = MLDSAPolynomial.uniform(
                    seed: encoded.prefix(32), row: UInt8(row), column: UInt8(column))
                sum += element * polynomial
            }
            sum -= challenge * keyRow(row)
            sum.transformBack()
            return sum
        }
    }

    /// t1·2^13 of one row, transformed. Ten bits and thirteen stay below q.
    private func keyRow(_ row: Int) -> MLDSAPolynomial {
        let bytes = encoded.dropFirst(32 + row * 320).prefix(320)
        var polynomial = MLDSAPolynomial()
        polynomial.coefficients = MLDSAEncoding.unpacked(bytes, width: 10).map { $0 << 13 }
        polynomial.transform()
        return polynomial
    }

    /// Algorithm 40, `UseHint`, on every coefficient, then algorithm 28, `w1Encode`.
    private func highBits(_ polynomial: MLDSAPolynomial, hints: [UInt8]) -> [UInt8] {
        let step = 2 * set.halfStep
        let count = (Int32(MLDSAPolynomial.modulus) - 1) / step
        var high = polynomial.coefficients.map { decomposed($0).high }
        for place in hints.map(Int.init) {
            let low = decomposed(polynomial.coefficients[place]).low
            high[place] = (high[place] + (low > 0 ? 1 : count - 1)) % count
        }
        return MLDSAEncoding.packed(high.map { UInt32($0) }, width: count == 16 ? 4 : 6)
    }

    /// Algorithm 36, `Decompose`.
    private func decomposed(_ coefficient: UInt32) -> (high: Int32, low: Int32) {
        let value = Int32(coefficient)
        let step = 2 * set.halfStep
        var low = value % step
        if low > set.halfStep { low -= step }
        if value - low == Int32(MLDSAPolynomial.modulus) - 1 { return (0, low - 1) }
        return ((value - low) / step, low)
    }
}
