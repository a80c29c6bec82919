// SPDX-License-Identifier: Apache-2.0

/// The supported signature algorithms (RFC 7518 section 3.1, RFC 8037), without `none`.
package enum JWSAlgorithm: String, Sendable, CaseIterable {
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case edDSA = "EdDSA"
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"

    /// By the exact bytes of its name.
    package init?(exactly name: String) {
        guard let algorithm = Self(rawValue: name), name.hasSameBytes(as: algorithm.rawValue)
        else { return nil }
        self = algorithm
    }

    package static let asymmetric: [JWSAlgorithm] = allCases.filter { !$0.isSymmetric }

    package var isSymmetric: Bool { minimumSymmetricBytes != nil }

    /// RFC 7518 section 3.2: a key of at least the size of the hash, in bytes.
    var minimumSymmetricBytes: Int? {
        switch self {
        case .hs256: 32
        case .hs384: 48
        case .hs512: 64
        default: nil
        }
    }

    func fits(_ material: PublicJWK.Material) -> Bool {
        switch (self, material) {
        case (.es256, .ellipticCurve(.p256, _, _)), (.es384, .ellipticCurve(.p384, _, _)),
            (.es512, .ellipticCurve(.p521, _, _)), (.edDSA, .octetKeyPair(.ed25519, _)):
            true
        case (.rs256, .rsa), (.rs384, .rsa), (.rs512, .rsa), (.ps256, .rsa), (.ps384, .rsa),
            (.ps512, .rsa):
            true
        default: false
        }
    }
}
