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

extension DeviceKeys {
    static let algorithms: [JWSAlgorithm] = [.es256, .es384, .edDSA]
}
