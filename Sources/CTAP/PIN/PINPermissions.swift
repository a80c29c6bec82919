// SPDX-License-Identifier: Apache-2.0

/// The permissions of a `pinUvAuthToken` (CTAP 2.1 section 6.5.5.7, CTAP 2.2 for the last).
package struct PINPermissions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `mc`: make a credential for the token's RP ID.
    package static let makeCredential = PINPermissions(rawValue: 0x01)
    /// `ga`: sign for the token's RP ID.
    package static let getAssertion = PINPermissions(rawValue: 0x02)
    /// `cm`: list, change and delete credentials.
    package static let credentialManagement = PINPermissions(rawValue: 0x04)
    /// `be`: enrol fingerprints.
    package static let bioEnrollment = PINPermissions(rawValue: 0x08)
    /// `lbw`: write the large-blob array.
    package static let largeBlobWrite = PINPermissions(rawValue: 0x10)
    /// `acfg`: change the key's configuration.
    package static let authenticatorConfiguration = PINPermissions(rawValue: 0x20)
    /// `pcmr`: list credentials with a token that outlives a power cycle; excludes other
    /// permissions.
    package static let persistentCredentialManagementReadOnly = PINPermissions(rawValue: 0x40)

    /// Permissions that are of use only together with an RP ID.
    package static let needRelyingParty: PINPermissions = [.makeCredential, .getAssertion]

    /// The permissions of the tokens of `getPinToken` (05), which requests none explicitly.
    package static let implicit: PINPermissions = [.makeCredential, .getAssertion]
}
