// SPDX-License-Identifier: Apache-2.0

/// A project's policy for apps on Android.
package struct AndroidAppPolicy: Sendable, Equatable, Codable {
    /// An app and the certificates that it is signed with.
    package struct Application: Sendable, Equatable, Codable {
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

        /// Absent keys take their defaults, so old rows gain new ones.
        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decodeIfPresent(String.self, forKey: .name) ?? ""
            fingerprints = try values.decodeIfPresent([String].self, forKey: .fingerprints) ?? []
            owner = try values.decodeIfPresent(String.self, forKey: .owner) ?? ""
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

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.applications, &applications)
        try read(.minimumLevel, &minimumLevel)
        try read(.matchingLevels, &matchingLevels)
        try read(.verifiedBoot, &verifiedBoot)
        try read(.userAuthentication, &userAuthentication)
        try read(.minimumOSPatch, &minimumOSPatch)
        try read(.minimumVendorPatch, &minimumVendorPatch)
        try read(.minimumBootPatch, &minimumBootPatch)
        try read(.roots, &roots)
        try read(.revocation, &revocation)
        try read(.playVerificationKey, &playVerificationKey)
        try read(.playDeviceLabels, &playDeviceLabels)
        try read(.playRecognizedApp, &playRecognizedApp)
        try read(.playLicence, &playLicence)
        try read(.playTestingResponses, &playTestingResponses)
    }
}
