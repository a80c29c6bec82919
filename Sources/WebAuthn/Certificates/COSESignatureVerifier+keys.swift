// SPDX-License-Identifier: Apache-2.0
package import JOSE

extension COSESignatureVerifier {
    /// `nil` when the certificate's key is not of the kind that the algorithm is bound to.
    package init?(_ certificate: AttestationCertificate, algorithm: COSEAlgorithm) {
        guard let material = KeyMaterial(certificate, for: algorithm) else {
            return nil
        }
        self.init(algorithm: algorithm, material: material)
    }

    /// `nil` when the key is not of the kind that the algorithm is bound to.
    package init?(_ key: PublicJWK, algorithm: COSEAlgorithm) {
        guard let material = KeyMaterial(key.material, for: algorithm) else { return nil }
        self.init(algorithm: algorithm, material: material)
    }
}

extension KeyMaterial {
    fileprivate init?(_ key: PublicJWK.Material, for algorithm: COSEAlgorithm) {
        let material: KeyMaterial?
        switch (key, algorithm.family) {
        case (.ellipticCurve(.p256, let x, let y), .ecdsa(.p256)):
            material = try? .point(.p256, x: x[...], y: y[...])
        case (.ellipticCurve(.p384, let x, let y), .ecdsa(.p384)):
            material = try? .point(.p384, x: x[...], y: y[...])
        case (.ellipticCurve(.p521, let x, let y), .ecdsa(.p521)):
            material = try? .point(.p521, x: x[...], y: y[...])
        case (.rsa(let n, let e), .rsaPKCS1), (.rsa(let n, let e), .rsaPSS):
            material = try? .rsa(modulus: n[...], exponent: e[...])
        default: material = nil
        }
        guard let material else { return nil }
        self = material
    }
}
