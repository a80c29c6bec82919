// SPDX-License-Identifier: Apache-2.0

/// A signature algorithm of the IANA "COSE Algorithms" registry that credentials may use.
///
/// Each one binds its key type, its curve and its hash, so nothing else in a message can choose
/// them. `RS1` is not here: SHA-1 signatures are never accepted.
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
    /// Fully specified ES384, RFC 9864.
    case esp384 = -51
    /// Fully specified ES512, RFC 9864.
    case esp512 = -52
    case rs256 = -257
    case rs384 = -258
    case rs512 = -259

    /// What is offered when nothing else is said: the three that every authenticator has one of.
    package static let offeredByDefault: [COSEAlgorithm] = [.es256, .edDSA, .rs256]

    /// What the algorithm needs of a key.
    enum Family: Sendable, Equatable {
        case ecdsa(COSECurve)
        case ed25519
        case rsaPKCS1(COSEHash)
        case rsaPSS(COSEHash)
    }

    var family: Family {
        switch self {
        case .es256, .esp256: .ecdsa(.p256)
        case .es384, .esp384: .ecdsa(.p384)
        case .es512, .esp512: .ecdsa(.p521)
        case .edDSA, .ed25519: .ed25519
        case .rs256: .rsaPKCS1(.sha256)
        case .rs384: .rsaPKCS1(.sha384)
        case .rs512: .rsaPKCS1(.sha512)
        case .ps256: .rsaPSS(.sha256)
        case .ps384: .rsaPSS(.sha384)
        case .ps512: .rsaPSS(.sha512)
        }
    }
}

/// A curve of the IANA "COSE Elliptic Curves" registry for two-coordinate keys.
enum COSECurve: Int64, Sendable {
    case p256 = 1
    case p384 = 2
    case p521 = 3

    /// Length of one coordinate in bytes.
    var coordinateLength: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }
}

/// The hash inside an RSA algorithm.
enum COSEHash: Sendable {
    case sha256, sha384, sha512
}
