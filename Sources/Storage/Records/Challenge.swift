// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Something single-use that the provider gave out and waits for. Typed by purpose: a challenge
/// of one purpose is unknown to every other.
package struct Challenge: Sendable, Equatable {
    package enum Purpose: String, Sendable, CaseIterable {
        /// A WebAuthn registration is under way.
        case passkeyRegistration = "passkey_registration"
        /// A WebAuthn sign-in is under way.
        case passkeySignIn = "passkey_sign_in"
        case emailVerification = "email_verification"
        case accountRecovery = "account_recovery"
        /// The one-time set-up link of the first start.
        case setUp = "set_up"
        /// An administrator lets a person register a key again.
        case reRegistration = "re_registration"
        /// An invitation: the person registers their first credential.
        case invitation
        /// Asked before signing out without a trusted hint.
        case signOut = "sign_out"
        /// An app has its person signed in to a browser.
        case webHandoff = "web_handoff"
        /// An administrator has removed something, and may put it back.
        case removal
        /// A form whose sender has to sign in once more before it is done.
        case typedForm = "typed_form"
    }

    /// Keyed hash of what the holder presents.
    package var hash: [UInt8]
    package var purpose: Purpose
    package var project: Identifier<Project>
    /// What the ceremony must remember, as JSON.
    package var payload: String
    package var expiresAt: Timestamp

    package init(
        hash: [UInt8], purpose: Purpose, project: Identifier<Project>, payload: String,
        expiresAt: Timestamp
    ) {
        self.hash = hash
        self.purpose = purpose
        self.project = project
        self.payload = payload
        self.expiresAt = expiresAt
    }
}
