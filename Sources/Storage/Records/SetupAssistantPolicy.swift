// SPDX-License-Identifier: Apache-2.0

/// The settings with which a new Mac registers during setup (Apple "Implementing Platform SSO
/// during Automated Device Enrollment"). They are offered if there is an extension.
package struct SetupAssistantPolicy: Sendable, Equatable, Codable {
    /// The team that signed the extension.
    package var team = ""
    package var extensionIdentifier = ""
    /// The app that contains the extension; if set, its domains are in the profile.
    package var app = ""
    /// The URL of the manifest of the app's package.
    package var manifestURL = ""
    /// Certificates in Base64 DER to which the host of package and manifest is pinned; if empty,
    /// any that the system trusts.
    package var pinnedCertificates: [String] = []
    /// Whether the Mac must check the revocation status of these.
    package var checksRevocation = false

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.team, &team)
        try read(.extensionIdentifier, &extensionIdentifier)
        try read(.app, &app)
        try read(.manifestURL, &manifestURL)
        try read(.pinnedCertificates, &pinnedCertificates)
        try read(.checksRevocation, &checksRevocation)
    }

    package var isOffered: Bool { !extensionIdentifier.isEmpty }
}
