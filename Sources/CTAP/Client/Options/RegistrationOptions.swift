// SPDX-License-Identifier: Apache-2.0
package import WebAuthn

/// The options of a new credential: `PublicKeyCredentialCreationOptions` (WebAuthn section 5.4), as
/// far as security keys support them.
package struct RegistrationOptions: Sendable {
    /// `nil` means the host of the origin.
    package var relyingPartyId: String?
    package var relyingPartyName: String
    package var user: CTAPUser
    package var challenge: [UInt8]
    /// COSE algorithms, best first. Empty means ES256 and RS256, as WebAuthn requires.
    package var algorithms: [Int64]
    package var timeout: Duration?
    package var excludeCredentials: [CTAPCredentialDescriptor] = []
    package var residentKey: ResidentKeyRequirement = .discouraged
    package var userVerification: UserVerificationRequirement = .preferred
    package var attestation: AttestationConveyance = .none
    package var attestationFormats: [String] = []
    /// Enterprise attestation by the platform's own list; it decides between the kinds 2 and 1.
    package var isEnterpriseRelyingParty = false
    package var extensions = RegistrationExtensionInputs()

    package init(
        relyingPartyId: String?, relyingPartyName: String, user: CTAPUser, challenge: [UInt8],
        algorithms: [Int64]
    ) {
        self.relyingPartyId = relyingPartyId
        self.relyingPartyName = relyingPartyName
        self.user = user
        self.challenge = challenge
        self.algorithms = algorithms
    }
}
