// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import WebAuthn

/// What a project demands of keys in Android's key store. Strict unless it says otherwise.
package struct AndroidKeyPolicy: Sendable {
    /// The applications that may register.
    package var applications: [AndroidApplication]
    /// The weakest level that is taken, both of the attestation and of the key.
    ///
    /// For StrongBox the issuing certificates must say so too: the key description is written by the
    /// key store, the certificates by Google.
    package var minimumLevel = AndroidSecurityLevel.trustedEnvironment
    /// Whether attestation, key and issuing certificates must be of one level, where these say it:
    /// Google's constraints `CONSISTENT` and `MATCHES_CERTIFICATE`.
    package var requiresMatchingLevels = false
    /// Whether the device must be locked and started by its maker's keys.
    package var requiresVerifiedBoot = true
    /// Whether the key must ask for its person (a PIN, a finger) at every use or once in a while.
    package var requiresUserAuthentication = false
    /// Year and month, 202511: older systems are refused.
    package var minimumOSPatchLevel: Int64?
    /// Year, month and day, 20251105.
    package var minimumVendorPatchLevel: Int64?
    /// Year, month and day, 20251105.
    package var minimumBootPatchLevel: Int64?
    package var revocation: Revocation

    /// Whether and how the list of revoked certificates is asked.
    package enum Revocation: Sendable {
        /// With this list, no older than that. Without a list every key is refused.
        case checked(RevocationStatusList?, maximumAge: TimeSpan)
        /// Never asked. For tests, and for networks that cannot reach the list and accept that.
        case ignored
    }

    /// A day: Google serves the list with a life of hours.
    package static let usualRevocationAge = TimeSpan.days(1)

    package init(applications: [AndroidApplication], revocation: Revocation) {
        self.applications = applications
        self.revocation = revocation
    }
}
