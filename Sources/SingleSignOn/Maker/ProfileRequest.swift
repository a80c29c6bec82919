// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What a profile shall configure: Platform SSO with a provider, in the few words that an
/// administrator has to say.
package struct ProfileRequest: Sendable, Equatable {
    /// The issuer of the project, which is also the prefix of its addresses.
    package var issuer: String
    /// What people see.
    package var displayName: String
    package var organization: String?
    /// The team that signed app and extension.
    package var teamIdentifier: String
    package var extensionIdentifier: String
    /// The bundle identifier of the app around the extension; then its domain is said as well.
    package var appIdentifier: String?
    package var channel: ProfileChannel
    package var platformSSO: PlatformSSOSettings
    package var registrationToken: Secret?
    /// Told to the extension beside the issuer.
    package var extensionData: [PropertyList.Entry] = []
    /// Prefixes of addresses that the extension takes over beside the issuer's.
    package var additionalURLs: [String] = []
    package var screenLockedBehavior: SSOConfiguration.ScreenLockedBehavior?
    package var deniedBundleIdentifiers: [String]?
    /// Whether the method is said once more where macOS 13 looks for it.
    package var namesMethodForFirstVersion = false
    package var removalDisallowed: Bool?
    package var removalDate: Timestamp?

    package init(
        issuer: String, displayName: String, teamIdentifier: String, extensionIdentifier: String,
        channel: ProfileChannel = .device, platformSSO: PlatformSSOSettings
    ) {
        self.issuer = issuer
        self.displayName = displayName
        self.teamIdentifier = teamIdentifier
        self.extensionIdentifier = extensionIdentifier
        self.channel = channel
        self.platformSSO = platformSSO
    }
}
