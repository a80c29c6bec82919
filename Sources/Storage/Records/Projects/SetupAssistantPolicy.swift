// SPDX-License-Identifier: Apache-2.0

/// The settings with which a new Mac registers during setup (Apple "Implementing Platform SSO
/// during Automated Device Enrollment"). They are offered if there is an extension.
package struct SetupAssistantPolicy: StoredSettings, Equatable {
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

    package var isOffered: Bool { !extensionIdentifier.isEmpty }
}
