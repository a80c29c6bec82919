// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// A discoverable credential on a key, as its owner sees it.
package struct DiscoverableCredential: Sendable, Equatable {
    package let id: [UInt8]
    /// The RP ID, or what is left of it: keys may cut long ones.
    package let relyingParty: String
    package let relyingPartyIdHash: [UInt8]
    package let user: CTAPUser
    /// The COSE key, not validated.
    package let publicKey: CBORValue?
    package let credProtect: UInt8?
    package let largeBlobKey: [UInt8]?
}
