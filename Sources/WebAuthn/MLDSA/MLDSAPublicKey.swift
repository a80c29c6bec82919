// SPDX-License-Identifier: Apache-2.0

/// Verification by ML-DSA (FIPS 204), for all three parameter sets. It handles nothing secret.
///
/// swift-crypto has the two larger sets, and takes three times as long (decision 0024). The hash is
/// that of libcrypto.
package struct MLDSAPublicKey: Sendable, Equatable {
    let set: MLDSAParameterSet
    private let encoded: [UInt8]

    /// Every string of the right length is a key.
    package init?(_ encoded: [UInt8], _ set: MLDSAParameterSet) {
        guard encoded.count == set.publicKeyLength else { return nil }
        self.set = set
        self.encoded = encoded
    }

    /// Algorithm 3, `ML-DSA.Verify`, with an empty context.
    package func isValid(signature: ArraySlice<UInt8>, over message: [UInt8]) -> Bool {
        (try? verify(signature, message)) ?? false
    }

    /// - Throws: ``SHAKE/LibraryError``.
    private func verify(_ signature: ArraySlice<UInt8>, _ message: [UInt8]) throws -> Bool {
        guard signature.count == set.signatureLength else { return false }
        let commitment = signature.prefix(set.challengeLength)
        guard let response = response(in: signature),
            let hints = MLDSAEncoding.hints(signature.suffix(set.maximumHints + set.rows), set)
        else { return false }
        // μ, of the key's hash and the message with its empty context.
        let keyHash = try SHAKE.shake256.bytes(64, of: encoded)
        var input = try SHAKE.shake256.bytes(64, of: keyHash + [0, 0] + message)
        // w1.
        let approximations = try approximations(response, challenge: commitment)
        for (approximation, hints) in zip(approximations, hints) {
            appendHighBits(of: approximation, hints: hints, to: &input)
        }
        let again = try SHAKE.shake256.bytes(set.challengeLength, of: input)
        return again.elementsEqual(commitment)
    }

    /// z, transformed, or `nil` when a coefficient is γ1 - β or more.
    private func response(in signature: ArraySlice<UInt8>) -> [MLDSAPolynomial]? {
        let (bound, slack) = (set.responseBound, set.slack)
        let length = set.responseLength
        var isShort = true
        var rest = signature.dropFirst(set.challengeLength)
        var response: [MLDSAPolynomial] = []
        for _ in 0..<set.columns {
            var polynomial = MLDSAEncoding.unpacked(
                rest.prefix(length), width: set.responseBits + 1
            ) { number in
                // γ1 - number is the coefficient; strictly between β - γ1 and γ1 - β.
                isShort = isShort && slack < number && number < 2 * bound - slack
                return number <= bound ? bound - number : bound + MLDSAPolynomial.modulus - number
            }
            polynomial.transform()
            response.append(polynomial)
            rest = rest.dropFirst(length)
        }
        return isShort ? response : nil
    }

    /// A·z - c·t1·2^13, row by row.
    private func approximations(
        _ response: [MLDSAPolynomial], challenge seed: ArraySlice<UInt8>
    ) throws -> [MLDSAPolynomial] {
        var challenge = try MLDSAPolynomial.challenge(seed: seed, weight: set.challengeWeight)
        challenge.transform()
        return try (0..<set.rows).map { row in
            var sum = MLDSASum()
            for (column, polynomial) in response.enumerated() {
                let element = try MLDSAPolynomial.uniform(
                    seed: encoded.prefix(32), row: row, column: column)
                sum.add(element, times: polynomial)
            }
            sum.subtract(challenge, times: keyRow(row))
            var approximation = sum.polynomial
            approximation.transformBack()
            return approximation
        }
    }

    /// t1·2^13 of one row, transformed. Ten bits and thirteen stay below q.
    private func keyRow(_ row: Int) -> MLDSAPolynomial {
        let bytes = encoded.dropFirst(32 + row * 320).prefix(320)
        var polynomial = MLDSAEncoding.unpacked(bytes, width: 10) { $0 << 13 }
        polynomial.transform()
        return polynomial
    }

    /// Algorithm 40, `UseHint`, on every coefficient, then algorithm 28, `w1Encode`.
    private func appendHighBits(
        of polynomial: MLDSAPolynomial, hints: [UInt8], to bytes: inout [UInt8]
    ) {
        let rounding = set.rounding
        var high = polynomial.coefficients.map { rounding.highBits($0) }
        for place in hints.map(Int.init) {
            let isAbove = rounding.isAbove(polynomial.coefficients[place], high[place])
            high[place] = (high[place] + (isAbove ? 1 : rounding.count - 1)) % rounding.count
        }
        MLDSAEncoding.pack(high, width: rounding.width, to: &bytes)
    }
}
