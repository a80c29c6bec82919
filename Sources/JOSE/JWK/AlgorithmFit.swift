// SPDX-License-Identifier: Apache-2.0

/// A check whether the algorithm of a JWK fits that kind of key. Unknown names pass: such a key is
/// stored and never used.
enum AlgorithmFit {
    static func check(
        _ algorithm: String?, _ material: PublicJWK.Material
    ) throws(JOSEError) {
        guard let algorithm else { return }
        let fits: Bool
        if let signing = JWSAlgorithm(exactly: algorithm) {
            fits = signing.fits(material)
        } else if let management = JWEAlgorithm(exactly: algorithm) {
            fits = management.fits(material)
        } else {
            fits = JWEEncryption(exactly: algorithm) == nil
        }
        guard fits else {
            throw JOSEError(.keyMismatch, "the key cannot be used with the algorithm it names")
        }
    }

    static func check(_ algorithm: String?, symmetricBytes size: Int) throws(JOSEError) {
        guard let algorithm else { return }
        if let signing = JWSAlgorithm(exactly: algorithm) {
            guard let minimum = signing.minimumSymmetricBytes else { throw mismatch }
            guard size >= minimum else {
                throw JOSEError(.keyTooWeak, "\(signing.rawValue) needs \(minimum) bytes")
            }
        } else if let management = JWEAlgorithm(exactly: algorithm) {
            guard management == .direct || management.wrappingKeyBytes == size else {
                throw mismatch
            }
            guard management.isSymmetric else { throw mismatch }
        } else if let encryption = JWEEncryption(exactly: algorithm) {
            guard encryption.keyBytes == size else { throw mismatch }
        }
    }

    private static var mismatch: JOSEError {
        JOSEError(.keyMismatch, "the key cannot be used with the algorithm it names")
    }
}
