// SPDX-License-Identifier: Apache-2.0

/// What a project believes of apps on Apple's systems.
package struct AppleAppPolicy: Sendable, Equatable, Codable {
    /// App IDs that may register, `TEAMID.bundle.id`.
    package var applications: [String] = []
    /// Which of Apple's two environments made their keys: `production` or `development`.
    package var environment = "production"
    /// Root keys in place of Apple's, base64 of DER.
    package var roots: [String] = []
    /// Whether the receipt must be signed by Apple, fresh, and one of the attestation.
    package var checksReceipt = true
    /// Root keys of receipts in place of Apple's, base64 of DER.
    package var receiptRoots: [String] = []
    /// `optional` or `required`: whether an installation that registered with App Attest signs in
    /// with an assertion of it besides.
    package var assertions = "optional"
    /// The team's DeviceCheck key, whose private part is sealed in ``RegistrationPolicy/secrets``.
    package var deviceCheckKeyID = ""
    package var deviceCheckTeamID = ""
    /// In place of Apple's address for ``environment``.
    package var deviceCheckAddress = ""
    /// Whether a device registers once: it is remembered in the first of its two bits.
    package var deviceCheckOnce = false
    /// Devices that may register once more all the same: `NAME until RFC3339`, by the name that their
    /// app gives them.
    package var deviceCheckAgain: [String] = []

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.applications, &applications)
        try read(.environment, &environment)
        try read(.roots, &roots)
        try read(.checksReceipt, &checksReceipt)
        try read(.receiptRoots, &receiptRoots)
        try read(.assertions, &assertions)
        try read(.deviceCheckKeyID, &deviceCheckKeyID)
        try read(.deviceCheckTeamID, &deviceCheckTeamID)
        try read(.deviceCheckAddress, &deviceCheckAddress)
        try read(.deviceCheckOnce, &deviceCheckOnce)
        try read(.deviceCheckAgain, &deviceCheckAgain)
    }
}
