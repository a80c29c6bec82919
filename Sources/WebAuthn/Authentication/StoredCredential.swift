// SPDX-License-Identifier: Apache-2.0

/// The part of a credential record (section 4) that a sign-in is checked against.
package struct StoredCredential: Sendable {
    package var id: [UInt8]
    /// The COSE key as it was registered.
    package var publicKey: [UInt8]
    package var signCount: UInt32
    /// BE as it was registered; `nil` when the record is older than that knowledge.
    package var backupEligible: Bool?
    /// The user handle of the account that owns the record; `nil` only where there is no account,
    /// as in `gatehouse inspect`.
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
