// SPDX-License-Identifier: Apache-2.0

extension PublicJWK {
    /// Whether the key made that signature over `input`, for messages other than JWS. The caller
    /// chooses the algorithm; `false` if it does not fit the key.
    package func hasSigned(
        _ input: [UInt8], by algorithm: JWSAlgorithm, signature: [UInt8]
    ) -> Bool {
        guard algorithm.fits(material), let verification else { return false }
        return SignatureArithmetic.holds(signature, over: input, by: algorithm, verification)
    }
}
