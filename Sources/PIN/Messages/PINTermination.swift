// SPDX-License-Identifier: Apache-2.0

/// Why a profile on a device is over. Both are final: the key is never accepted again, its secrets
/// are gone, and the person registers anew, with a new key.
package enum PINTermination: String, Sendable, Equatable, CaseIterable {
    /// Too many wrong PINs.
    case profileLocked = "profile_locked"
    /// Removed by the person elsewhere, or by an administrator.
    case deviceRevoked = "device_revoked"
}
