// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The content of one payload of type `com.apple.extensiblesso`, or of one declaration of type
/// `com.apple.configuration.extensible-sso`: an extension, its URLs or hosts, and their handling.
package struct SSOConfiguration: ProfileRecord {
    package static let payloadType = "com.apple.extensiblesso"
    package static let declarationType = "com.apple.configuration.extensible-sso"

    package enum ExtensionType: String, ProfileChoice {
        /// Handles authentication challenges of hosts.
        case credential = "Credential"
        /// Intercepts requests to URLs.
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
    /// The key of macOS 13, replaced by ``PlatformSSOSettings/authenticationMethod``.
    package var formerAuthenticationMethod: PlatformSSOAuthenticationMethod?
    package var registrationToken: Secret?
    package var platformSSO: PlatformSSOSettings?

    package init() {}

    /// The method from either location.
    package var authenticationMethod: PlatformSSOAuthenticationMethod? {
        platformSSO?.authenticationMethod ?? formerAuthenticationMethod
    }

    /// Whether the system registers the device with the provider.
    package var isPlatformSSO: Bool { authenticationMethod != nil }

    /// Whether it configures Apple's Kerberos extension, whose data have a separate table.
    package var isKerberos: Bool { extensionIdentifier == KerberosSettings.extensionIdentifier }

    package var kerberos: KerberosSettings? {
        isKerberos ? KerberosSettings(entries: extensionData ?? []) : nil
    }
}
