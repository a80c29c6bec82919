// SPDX-License-Identifier: Apache-2.0
package import JOSE

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
