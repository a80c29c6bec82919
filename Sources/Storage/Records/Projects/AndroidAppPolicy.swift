// SPDX-License-Identifier: Apache-2.0

/// A project's policy for apps on Android.
package struct AndroidAppPolicy: StoredSettings, Equatable {
    /// An app and the certificates that it is signed with.
    package struct Application: StoredSettings, Equatable {
        package var name = ""
        /// SHA-256, as the Play Console shows them.
        package var fingerprints: [String] = []
        /// The person responsible for the entry. The entry belongs to the project and remains when
        /// that person leaves.
        package var owner = ""

        package init() {}

        private enum CodingKeys: String, CodingKey {
            case name = "package"
            case fingerprints
            case owner
        }
    }

    package var applications: [Application] = []
    /// `software`, `trusted_environment` or `strong_box`: the lowest accepted level of key storage.
    package var minimumLevel = "trusted_environment"
    /// Whether attestation, key and issuing certificates must be of one level.
    package var matchingLevels = false
    package var verifiedBoot = true
    package var userAuthentication = false
    /// Year and month, 202511; 0 for any.
    package var minimumOSPatch: Int64 = 0
    /// Year, month and day, 20251105; 0 for any.
    package var minimumVendorPatch: Int64 = 0
    package var minimumBootPatch: Int64 = 0
    /// Root keys that replace Google's, Base64 of DER.
    package var roots: [String] = []
    /// `checked` or `ignored`: the list of revoked certificates.
    package var revocation = "checked"
    /// The verification key of the Play Console: Base64 of `SubjectPublicKeyInfo`. The decryption
    /// key is sealed in ``RegistrationPolicy/secrets``.
    package var playVerificationKey = ""
    package var playDeviceLabels = ["MEETS_DEVICE_INTEGRITY"]
    package var playRecognizedApp = true
    package var playLicence = false
    package var playTestingResponses = false

    package init() {}
}
