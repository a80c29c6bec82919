// SPDX-License-Identifier: Apache-2.0

/// The part of a credential record (section 4) that a sign-in needs.
package struct StoredCredential: Sendable {
    package var id: [UInt8]
    /// The COSE key as it was registered.
    package var publicKey: [UInt8]
    package var signCount: UInt32
    /// BE at the registration; `nil` if the record is older than this column.
    package var backupEligible: Bool?
    /// The user handle of the account that owns the record; `nil` only without an account, as in
    /// `gatehouse inspect`.
    package var userHandle: [UInt8]?

    package init(
        id: [UInt8], publicKey: [UInt8], signCount: UInt32, backupEligible: Bool? = nil,
        userHandle: [UInt8]? = nil
    ) {
        self.id = id
        self.publicKey = publicKey
        self.signCount = signCount
        self.backupEligible = backupEligible
        self.userHandle = userHandle
    }
}
