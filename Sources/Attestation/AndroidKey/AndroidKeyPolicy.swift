// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import WebAuthn

/// A project's policy for keys in Android's key store. The defaults are strict.
package struct AndroidKeyPolicy: Sendable {
    /// The applications that may register.
    package var applications: [AndroidApplication]
    /// The lowest accepted level, both of the attestation and of the key.
    ///
    /// For StrongBox the issuing certificates must state it too: the key store writes the key
    /// description, and Google the certificates.
    package var minimumLevel = AndroidSecurityLevel.trustedEnvironment
    /// Whether attestation, key and issuing certificates must have the same level, if they state
    /// it: Google's constraints `CONSISTENT` and `MATCHES_CERTIFICATE`.
    package var requiresMatchingLevels = false
    /// Whether the device must be locked and booted with its manufacturer's keys.
    package var requiresVerifiedBoot = true
    /// Whether the key must require user authentication (PIN or biometrics), at every use or
    /// periodically.
    package var requiresUserAuthentication = false
    /// Year and month, 202511: older systems are refused.
    package var minimumOSPatchLevel: Int64?
    /// Year, month and day, 20251105.
    package var minimumVendorPatchLevel: Int64?
    /// Year, month and day, 20251105.
    package var minimumBootPatchLevel: Int64?
    package var revocation: Revocation

    /// The use of the list of revoked certificates.
    package enum Revocation: Sendable {
        /// With this list, at most of that age. Without a list every key is refused.
        case checked(RevocationStatusList?, maximumAge: TimeSpan)
        /// The list is not used. For tests, and for networks that cannot reach the list and accept
        /// that.
        case ignored
    }

    /// A day: Google serves the list with a lifetime of hours.
    package static let usualRevocationAge = TimeSpan.days(1)

    package init(applications: [AndroidApplication], revocation: Revocation) {
        self.applications = applications
        self.revocation = revocation
    }
}
