// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What one payload of type `com.apple.extensiblesso` says, or one declaration of type
/// `com.apple.configuration.extensible-sso`: which extension serves which addresses, and how.
package struct SSOConfiguration: ProfileRecord {
    package static let payloadType = "com.apple.extensiblesso"
    package static let declarationType = "com.apple.configuration.extensible-sso"

    package enum ExtensionType: String, ProfileChoice {
        /// Answers challenges of hosts.
        case credential = "Credential"
        /// Takes over requests to addresses.
        case redirect = "Redirect"
    }

    package enum ScreenLockedBehavior: String, ProfileChoice {
        case cancel = "Cancel"
        case doNotHandle = "DoNotHandle"
    }

    package var extensionIdentifier: String?
    package var teamIdentifier: String?
    package var type: ExtensionType?
    package var urls: [String]?
    package var hosts: [String]?
    package var realm: String?
    package var extensionData: [PropertyList.Entry]?
    package var screenLockedBehavior: ScreenLockedBehavior?
    package var deniedBundleIdentifiers: [String]?
    /// Of macOS 13; ``PlatformSSOSettings/authenticationMethod`` has taken its place.
    package var formerAuthenticationMethod: PlatformSSOAuthenticationMethod?
    package var registrationToken: Secret?
    package var platformSSO: PlatformSSOSettings?

    package init() {}

    /// The method, wherever it was said.
    package var authenticationMethod: PlatformSSOAuthenticationMethod? {
        platformSSO?.authenticationMethod ?? formerAuthenticationMethod
    }

    /// Whether the system registers the device with the provider.
    package var isPlatformSSO: Bool { authenticationMethod != nil }

    /// Whether Apple's Kerberos extension is meant, whose data have a table of their own.
    package var isKerberos: Bool { extensionIdentifier == KerberosSettings.extensionIdentifier }

    package var kerberos: KerberosSettings? {
        isKerberos ? KerberosSettings(entries: extensionData ?? []) : nil
    }
}
