// SPDX-License-Identifier: Apache-2.0

extension PublicJWK {
    /// Whether the key made that signature over `input`, for messages that are no JWS. The algorithm
    /// is the caller's choice; one that does not fit the key is no signature.
    package func hasSigned(
        _ input: [UInt8], by algorithm: JWSAlgorithm, signature: [UInt8]
    ) -> Bool {
        guard algorithm.fits(material), let verification else { return false }
        return SignatureArithmetic.holds(signature, over: input, by: algorithm, verification)
    }
}
