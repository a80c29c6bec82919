// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A single-use value that the provider issued. A challenge of one purpose is unknown to every
/// other.
package struct Challenge: Sendable, Equatable {
    package enum Purpose: String, Sendable, CaseIterable {
        /// A WebAuthn registration in progress.
        case passkeyRegistration = "passkey_registration"
        /// A WebAuthn sign-in in progress.
        case passkeySignIn = "passkey_sign_in"
        case emailVerification = "email_verification"
        case accountRecovery = "account_recovery"
        /// The one-time setup link of the first start.
        case setUp = "set_up"
        /// An administrator's recovery link, with which a person registers a key again.
        case reRegistration = "re_registration"
        /// An invitation: the person registers their first credential.
        case invitation
        /// A confirmation before a sign-out without a trusted hint.
        case signOut = "sign_out"
        /// A hand-off of an app's person to a browser.
        case webHandoff = "web_handoff"
        /// A removal by an administrator that can be restored.
        case removal
        /// A form whose sender must sign in again before it is applied.
        case typedForm = "typed_form"
    }

    /// The keyed hash of the presented value.
    package var hash: [UInt8]
    package var purpose: Purpose
    package var project: Identifier<Project>
    /// The state of the ceremony, as JSON.
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
