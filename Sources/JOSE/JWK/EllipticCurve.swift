// SPDX-License-Identifier: Apache-2.0

/// The NIST curves of RFC 7518 section 6.2.1.1.
package enum EllipticCurve: String, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// The exact length of a coordinate and of a private scalar, in bytes.
    package var coordinateBytes: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }
}

/// The curves of RFC 8037 that are supported; keys of both are 32 bytes.
package enum OctetKeyPairCurve: String, Sendable, CaseIterable {
    case ed25519 = "Ed25519"
    case x25519 = "X25519"
}
