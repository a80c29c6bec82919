// SPDX-License-Identifier: Apache-2.0

/// One account of several on a key, for the same relying party.
package struct SecurityKeyAccount: Sendable, Hashable {
    package var credentialId: [UInt8]
    package var userHandle: [UInt8]
    /// Absent when the key did not verify the person.
    package var name: String?
    package var displayName: String?
}
