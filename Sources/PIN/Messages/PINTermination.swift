// SPDX-License-Identifier: Apache-2.0

/// The reason of the termination of a profile on a device. Both are final: the key is never
/// accepted again, its secrets are deleted, and the person registers with a new key.
package enum PINTermination: String, Sendable, Equatable, CaseIterable {
    /// Too many wrong PINs.
    case profileLocked = "profile_locked"
    /// The person removed it elsewhere, or an administrator did.
    case deviceRevoked = "device_revoked"
}
