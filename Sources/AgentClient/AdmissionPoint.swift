// SPDX-License-Identifier: Apache-2.0

/// A place at which people are admitted; each has its policy in the profile.
package enum AdmissionPoint: String, Sendable, CaseIterable {
    /// `FileVaultPolicy`: before the disk is open.
    case disk
    /// `LoginPolicy`
    case login
    /// `UnlockPolicy`: the lock screen.
    case unlock
}
