// SPDX-License-Identifier: Apache-2.0

/// A signature algorithm of the IANA "COSE Algorithms" registry that credentials may use.
///
/// Each one binds its key type, its curve and its hash, so nothing else in a message can choose
/// them.
package enum COSEAlgorithm: Int64, Sendable, Hashable, CaseIterable {
    /// ECDSA on P-256 with SHA-256 (WebAuthn section 5.8.5 fixes the curve).
    case es256 = -7
    /// EdDSA on Ed25519 (section 5.8.5 fixes the curve).
    case edDSA = -8
    /// Fully specified ES256, RFC 9864.
    case esp256 = -9
    /// Fully specified EdDSA on Ed25519, RFC 9864.
    case ed25519 = -19
    case es384 = -35
    case es512 = -36
    case ps256 = -37
    case ps384 = -38
    case ps512 = -39
    /// ECDSA on secp256k1 with SHA-256, RFC 8812.
    case es256k = -47
    /// ML-DSA-44 of FIPS 204, as an AKP key; see ``MLDSAPublicKey``.
    case mlDSA44 = -48
    /// ML-DSA-65 of FIPS 204, as an AKP key.
    case mlDSA65 = -49
    /// ML-DSA-87 of FIPS 204, as an AKP key.
    case mlDSA87 = -50
    /// Fully specified ES384, RFC 9864.
    case esp384 = -51
    /// Fully specified ES512, RFC 9864.
    case esp512 = -52
    /// Fully specified EdDSA on Ed448, RFC 9864.
    case ed448 = -53
    case rs256 = -257
    case rs384 = -258
    case rs512 = -259
    /// RSASSA-PKCS1-v1_5 with SHA-1 (RFC 8812). Refused for credential keys unless the relying
    /// party accepts it explicitly; TPMs sign attestation statements with it: see
    /// ``AcceptedAlgorithms``.
    case rs1 = -65535

    /// The default offer. Every authenticator supports at least one of the three.
    package static let offeredByDefault: [COSEAlgorithm] = [.es256, .edDSA, .rs256]

    /// Every algorithm but RS1.
    package static let withoutSHA1 = allCases.filter { !$0.usesSHA1 }

    /// Whether its signatures use SHA-1, whose collisions are affordable.
    package var usesSHA1: Bool { self == .rs1 }

    /// The requirements of the algorithm for a key.
    enum Family: Sendable, Equatable {
        case ecdsa(COSECurve)
        case ed25519
        case ed448
        case rsaPKCS1(COSEHash)
        case rsaPSS(COSEHash)
        case mlDSA(MLDSAParameterSet)
    }

    var family: Family {
        switch self {
        case .es256, .esp256: .ecdsa(.p256)
        case .es384, .esp384: .ecdsa(.p384)
        case .es512, .esp512: .ecdsa(.p521)
        case .es256k: .ecdsa(.secp256k1)
        case .edDSA, .ed25519: .ed25519
        case .ed448: .ed448
        case .rs1: .rsaPKCS1(.sha1)
        case .rs256: .rsaPKCS1(.sha256)
        case .rs384: .rsaPKCS1(.sha384)
        case .rs512: .rsaPKCS1(.sha512)
        case .ps256: .rsaPSS(.sha256)
        case .ps384: .rsaPSS(.sha384)
        case .ps512: .rsaPSS(.sha512)
        case .mlDSA44: .mlDSA(.mlDSA44)
        case .mlDSA65: .mlDSA(.mlDSA65)
        case .mlDSA87: .mlDSA(.mlDSA87)
        }
    }

    /// The hash function of the algorithms that sign a hash.
    var hash: COSEHash? {
        switch family {
        case .ecdsa(let curve): curve.hash
        case .rsaPKCS1(let hash), .rsaPSS(let hash): hash
        case .ed25519, .ed448, .mlDSA: nil
        }
    }
}

/// A curve of the IANA "COSE Elliptic Curves" registry for two-coordinate keys.
enum COSECurve: Int64, Sendable {
    case p256 = 1
    case p384 = 2
    case p521 = 3
    case secp256k1 = 8

    /// Length of one coordinate in bytes.
    var coordinateLength: Int {
        switch self {
        case .p256, .secp256k1: 32
        case .p384: 48
        case .p521: 66
        }
    }

    var hash: COSEHash {
        switch self {
        case .p256, .secp256k1: .sha256
        case .p384: .sha384
        case .p521: .sha512
        }
    }
}
