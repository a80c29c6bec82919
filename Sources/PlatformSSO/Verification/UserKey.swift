// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A key that is registered for one person on one device.
package enum UserKey: Sendable {
    case secureEnclave(PublicJWK)
    /// The key of a card certificate (DER) whose path the caller validated, and which the caller's
    /// rules map to this person.
    case smartCard(PublicJWK, certificate: [UInt8])

    var publicKey: PublicJWK {
        switch self {
        case .secureEnclave(let key): key
        case .smartCard(let key, _): key
        }
    }

    /// The signature algorithms of such a key: ES384 and Ed25519 since macOS 15, RSA on cards.
    var algorithms: [JWSAlgorithm] {
        switch self {
        case .secureEnclave: DeviceKeys.algorithms
        case .smartCard: [.es256, .rs256, .rs384, .rs512]
        }
    }

    /// Whether the assertion states that this key signed it.
    package func made(_ assertion: UnverifiedSignedAssertion) -> Bool {
        if case .smartCard(_, let certificate) = self, let leaf = assertion.certificates.first {
            return leaf == certificate
        }
        return assertion.keyID == KeyIdentifier(publicKey)
    }
}
