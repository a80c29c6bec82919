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

    package init() {}

    package var isOffered: Bool { !extensionIdentifier.isEmpty }
}
