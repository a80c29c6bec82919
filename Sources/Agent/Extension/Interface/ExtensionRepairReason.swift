// SPDX-License-Identifier: Apache-2.0

/// What an extension finds is not right any more.
package enum ExtensionRepairReason: Sendable, Hashable, CaseIterable {
    /// `userNeedsReauthentication`: a full login, whatever the time.
    case reauthentication
    /// `deviceRegistrationsNeedsRepair`
    case deviceRepair
    /// `userRegistrationsNeedsRepair`
    case personRepair
    /// `decryptionKeysNeedRepair`: the device registers with another key for encryption.
    case decryptionKeys
}
