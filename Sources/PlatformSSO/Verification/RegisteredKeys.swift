// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The stored keys of the device that a message claims to come from: those of the registration with
/// ``DeviceMessage/signingKeyID``.
package struct DeviceKeys: Sendable {
    /// The key that the message names.
    package let signing: PublicJWK
    /// The device's encryption keys: one, or two during a rotation. Responses are encrypted only to
    /// these.
    package let encryption: [PublicJWK]

    package init(signing: PublicJWK, encryption: [PublicJWK]) {
        self.signing = signing
        self.encryption = encryption
    }
}

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

extension DeviceKeys {
    static let algorithms: [JWSAlgorithm] = [.es256, .es384, .edDSA]
}

/// The keys for the verification of a login request, in addition to the device's.
package struct LoginKeys: Sendable {
    /// Every key of that person on that device.
    package let user: [UserKey]
    /// The provider's keys for encrypted passwords, the current one first.
    package let decryption: [PrivateJWK]

    package init(user: [UserKey] = [], decryption: [PrivateJWK] = []) {
        self.user = user
        self.decryption = decryption
    }
}
