// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// A key request or key exchange that a ``RequestVerifier`` accepted.
package struct VerifiedKeyRequest: Sendable {
    package enum Operation: Sendable, Equatable {
        /// The provisioning of an unlock key.
        case provision
        /// A key agreement with this key of the device and the unlock key of that context.
        case exchange(otherPublicKey: PublicJWK, context: String?)
    }

    package let facts: VerifiedRequestClaims
    package let username: String
    package let operation: Operation
    /// Must belong to the device and the person.
    package let refreshToken: Secret

    /// The only supported purpose.
    package static let userUnlock = "user_unlock"
}
