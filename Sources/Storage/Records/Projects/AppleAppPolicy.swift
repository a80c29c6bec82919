// SPDX-License-Identifier: Apache-2.0

/// A project's policy for apps on Apple's systems.
package struct AppleAppPolicy: StoredSettings, Equatable {
    /// App IDs that may register, `TEAMID.bundle.id`.
    package var applications: [String] = []
    /// The environment of Apple in which the keys were created: `production` or `development`.
    package var environment = "production"
    /// Root keys that replace Apple's, Base64 of DER.
    package var roots: [String] = []
    /// Whether the receipt must be signed by Apple, recent, and part of the attestation.
    package var checksReceipt = true
    /// Root keys of receipts that replace Apple's, Base64 of DER.
    package var receiptRoots: [String] = []
    /// `optional` or `required`: whether an installation that registered with App Attest must also
    /// sign in with an assertion.
    package var assertions = "optional"
    /// The team's DeviceCheck key, whose private part is sealed in ``RegistrationPolicy/secrets``.
    package var deviceCheckKeyID = ""
    package var deviceCheckTeamID = ""
    /// The URL that replaces Apple's for ``environment``.
    package var deviceCheckAddress = ""
    /// Whether a device registers only once: this is stored in the first of its two bits.
    package var deviceCheckOnce = false
    /// Devices that may register once more despite their DeviceCheck bits: `NAME until RFC3339`, by
    /// the name that their app states.
    package var deviceCheckAgain: [String] = []

    package init() {}
}
