// SPDX-License-Identifier: Apache-2.0
package import WebAuthn

/// The options of a sign-in: `PublicKeyCredentialRequestOptions` (WebAuthn section 5.5), as far as
/// security keys support them.
package struct AssertionOptions: Sendable {
    /// `nil` means the host of the origin.
    package var relyingPartyId: String?
    package var challenge: [UInt8]
    package var timeout: Duration?
    /// Empty when the person chooses among the discoverable credentials on the key.
    package var allowCredentials: [CTAPCredentialDescriptor] = []
    package var userVerification: UserVerificationRequirement = .preferred
    package var extensions = AssertionExtensionInputs()

    package init(relyingPartyId: String?, challenge: [UInt8]) {
        self.relyingPartyId = relyingPartyId
        self.challenge = challenge
    }
}
