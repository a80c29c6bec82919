// SPDX-License-Identifier: Apache-2.0

/// `ExtensionData` of Apple's Kerberos extension.
package struct KerberosSettings: ProfileRecord {
    package static let extensionIdentifier = "com.apple.AppSSOKerberos.KerberosExtension"
    package static let teamIdentifier = "apple"

    /// The use of the credential by other processes.
    package enum CredentialUseMode: String, ProfileChoice {
        case always
        case whenNotSpecified
        case kerberosDefault
    }

    package var cacheName: String?
    package var principalName: String?
    package var siteCode: String?
    package var useSiteAutoDiscovery: Bool?
    package var certificateUUID: String?
    package var credentialBundleIDACL: [String]?
    package var includeManagedAppsInBundleIDACL: Bool?
    package var includeKerberosAppsInBundleIDACL: Bool?
    package var credentialUseMode: CredentialUseMode?
    /// A realm, mapped to suffixes of names.
    package var domainRealmMapping: [String: [String]]?
    package var isDefaultRealm: Bool?
    package var preferredKDCs: [String]?
    package var requireTLSForLDAP: Bool?
    package var monitorCredentialsCache: Bool?
    package var delayUserSetup: Bool?
    package var performKerberosOnly: Bool?
    package var customUsernameLabel: String?
    package var helpText: String?
    package var allowAutomaticLogin: Bool?
    package var requireUserPresence: Bool?
    package var allowPasswordChange: Bool?
    /// In days.
    package var passwordNotificationDays: Int64?
    /// In days.
    package var passwordExpiryOverride: Int64?
    package var passwordLength: Int64?
    package var passwordComplexity: Bool?
    /// In days.
    package var passwordMinimumAge: Int64?
    package var passwordHistory: Int64?
    package var passwordRequirementsText: String?
    package var passwordRequirementsRTF: [UInt8]?
    package var passwordChangeURL: String?
    package var syncLocalPassword: Bool?
    /// In seconds.
    package var replicationTime: Int64?
    package var usePlatformSSOTGT: Bool?
    package var allowPlatformSSOAuthFallback: Bool?
    package var identityIssuerAutoSelectFilter: String?
    package var allowSmartCard: Bool?
    package var allowPassword: Bool?
    package var startInSmartCardMode: Bool?

    package init() {}
}
