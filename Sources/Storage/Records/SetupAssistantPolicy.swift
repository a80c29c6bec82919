// SPDX-License-Identifier: Apache-2.0

/// What a new Mac needs to register while it is being set up (Apple "Implementing Platform SSO during
/// Automated Device Enrollment"). Offered when there is an extension.
package struct SetupAssistantPolicy: Sendable, Equatable, Codable {
    /// The team that signed the extension.
    package var team = ""
    package var extensionIdentifier = ""
    /// The app around it; its domains are in the profile then.
    package var app = ""
    /// Where the manifest of the app's package is.
    package var manifestURL = ""
    /// Certificates in base64 DER that the place of package and manifest is held to; any that the
    /// system trusts when it is empty.
    package var pinnedCertificates: [String] = []
    /// Whether the Mac must find out that these still hold.
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
