// SPDX-License-Identifier: Apache-2.0

/// The flags byte of authenticator data (section 6.1). Bits 1 and 5 are reserved and ignored.
package struct AuthenticatorFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// UP: a person was present.
    package static let userPresent = AuthenticatorFlags(rawValue: 1 << 0)
    /// UV: the person was verified (PIN, biometrics).
    package static let userVerified = AuthenticatorFlags(rawValue: 1 << 2)
    /// BE: the credential may be backed up.
    package static let backupEligible = AuthenticatorFlags(rawValue: 1 << 3)
    /// BS: the credential is backed up.
    package static let backupState = AuthenticatorFlags(rawValue: 1 << 4)
    /// AT: attested credential data follow.
    package static let attestedCredentialData = AuthenticatorFlags(rawValue: 1 << 6)
    /// ED: extension data follow.
    package static let extensionData = AuthenticatorFlags(rawValue: 1 << 7)
}
