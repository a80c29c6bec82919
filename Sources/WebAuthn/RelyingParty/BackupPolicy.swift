// SPDX-License-Identifier: Apache-2.0

/// Whether new credentials may be ones that are backed up (step 7.1.18).
package enum BackupPolicy: String, Sendable, CaseIterable {
    case allowed
    /// BE must be clear: the key stays in one device.
    case prohibited
    /// BE must be set, for people who are to survive the loss of their only device.
    case required

    func accepts(isBackupEligible: Bool) -> Bool {
        switch self {
        case .allowed: true
        case .prohibited: !isBackupEligible
        case .required: isBackupEligible
        }
    }
}
