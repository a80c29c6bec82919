// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A sign-in that passed section 7.2. Only ``RelyingParty`` can make one.
///
/// Step 7.2.24 is the caller's: store the new counter and backup state, the counter only if it is
/// still what it was when the record was read.
package struct VerifiedAssertion: Sendable {
    /// The result of the signature counter check.
    package enum SignCountOutcome: String, Sendable {
        /// Both are zero: the authenticator has no counter.
        case notCounted = "not_counted"
        case increased
        /// A cloned authenticator is possible.
        case notIncreased = "not_increased"
    }

    package let credentialId: [UInt8]
    package let flags: AuthenticatorFlags
    /// To be stored.
    package let signCount: UInt32
    package let signCountOutcome: SignCountOutcome
    package let authenticatorAttachment: AuthenticatorAttachment?
    /// The signed extension outputs.
    package let extensions: ExtensionOutputs?
    /// The client's unsigned extension outputs, without key material.
    package let clientExtensionResults: JSONObject
    /// The requested outputs, decoded.
    package let extensionResults: AuthenticationExtensionResults

    package var isUserVerified: Bool { flags.contains(.userVerified) }
    package var isBackupEligible: Bool { flags.contains(.backupEligible) }
    package var isBackedUp: Bool { flags.contains(.backupState) }

    init(
        _ response: UnverifiedAssertion, data: AuthenticatorData, outcome: SignCountOutcome,
        extensions results: AuthenticationExtensionResults
    ) {
        credentialId = response.id
        flags = data.flags
        signCount = data.signCount
        signCountOutcome = outcome
        authenticatorAttachment = response.authenticatorAttachment
        extensions = data.extensions
        clientExtensionResults = response.clientExtensionResults.withoutSecrets
        extensionResults = results
    }
}
