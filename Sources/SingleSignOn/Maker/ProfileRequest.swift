// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The parameters of a profile: Platform SSO with a provider, in the form of an administrator's few
/// settings.
package struct ProfileRequest: Sendable, Equatable {
    /// The issuer of the project, which is also the prefix of its URLs.
    package var issuer: String
    /// The displayed name.
    package var displayName: String
    package var organization: String?
    /// The team that signed app and extension.
    package var teamIdentifier: String
    package var extensionIdentifier: String
    /// The bundle identifier of the app with the extension; if set, the profile also contains its
    /// domain.
    package var appIdentifier: String?
    package var channel: ProfileChannel
    package var platformSSO: PlatformSSOSettings
    package var registrationToken: Secret?
    /// Passed to the extension in addition to the issuer.
    package var extensionData: [PropertyList.Entry] = []
    /// URL prefixes that the extension intercepts in addition to the issuer's.
    package var additionalURLs: [String] = []
    package var screenLockedBehavior: SSOConfiguration.ScreenLockedBehavior?
    package var deniedBundleIdentifiers: [String]?
    /// Whether the profile repeats the method in macOS 13's location.
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
