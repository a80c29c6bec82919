// SPDX-License-Identifier: Apache-2.0

/// The key management of the content encryption key (RFC 7518 section 4). RSA1_5, the
/// password-based algorithms and those with AES-GCM key wrapping are not supported.
package enum JWEAlgorithm: String, Sendable, CaseIterable {
    case ecdhES = "ECDH-ES"
    case ecdhESA128KW = "ECDH-ES+A128KW"
    case ecdhESA192KW = "ECDH-ES+A192KW"
    case ecdhESA256KW = "ECDH-ES+A256KW"
    case rsaOAEP = "RSA-OAEP"
    case rsaOAEP256 = "RSA-OAEP-256"
    case a128KW = "A128KW"
    case a192KW = "A192KW"
    case a256KW = "A256KW"
    case direct = "dir"

    /// By the exact bytes of its name.
    package init?(exactly name: String) {
        guard let algorithm = Self(rawValue: name), name.hasSameBytes(as: algorithm.rawValue)
        else { return nil }
        self = algorithm
    }

    /// The size of the AES key that wraps, in bytes.
    var wrappingKeyBytes: Int? {
        switch self {
        case .ecdhESA128KW, .a128KW: 16
        case .ecdhESA192KW, .a192KW: 24
        case .ecdhESA256KW, .a256KW: 32
        case .ecdhES, .rsaOAEP, .rsaOAEP256, .direct: nil
        }
    }

    /// Whether both sides have the same key.
    package var isSymmetric: Bool {
        switch self {
        case .a128KW, .a192KW, .a256KW, .direct: true
        default: false
        }
    }

    /// Whether the content key, or its wrapping key, is the result of a Diffie-Hellman agreement.
    var isAgreement: Bool {
        switch self {
        case .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW: true
        default: false
        }
    }

    func fits(_ material: PublicJWK.Material) -> Bool {
        switch material {
        case .ellipticCurve, .octetKeyPair(.x25519, _): isAgreement
        case .rsa: self == .rsaOAEP || self == .rsaOAEP256
        case .octetKeyPair(.ed25519, _): false
        }
    }
}

/// The content encryption (RFC 7518 section 5).
package enum JWEEncryption: String, Sendable, CaseIterable {
    case a128GCM = "A128GCM"
    case a192GCM = "A192GCM"
    case a256GCM = "A256GCM"
    case a128CBCHS256 = "A128CBC-HS256"
    case a192CBCHS384 = "A192CBC-HS384"
    case a256CBCHS512 = "A256CBC-HS512"

    /// By the exact bytes of its name.
    package init?(exactly name: String) {
        guard let encryption = Self(rawValue: name), name.hasSameBytes(as: encryption.rawValue)
        else { return nil }
        self = encryption
    }

    /// The size of the content encryption key, in bytes.
    package var keyBytes: Int {
        switch self {
        case .a128GCM: 16
        case .a192GCM: 24
        case .a256GCM, .a128CBCHS256: 32
        case .a192CBCHS384: 48
        case .a256CBCHS512: 64
        }
    }

    var isCBC: Bool {
        switch self {
        case .a128GCM, .a192GCM, .a256GCM: false
        case .a128CBCHS256, .a192CBCHS384, .a256CBCHS512: true
        }
    }

    var initializationVectorBytes: Int { isCBC ? 16 : 12 }
    var tagBytes: Int { isCBC ? keyBytes / 2 : 16 }
}
