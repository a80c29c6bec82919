// SPDX-License-Identifier: Apache-2.0

/// The dictionary `PlatformSSO` of the payload: how the system itself registers and signs in.
package struct PlatformSSOSettings: ProfileRecord {
    package var authenticationMethod: PlatformSSOAuthenticationMethod?
    package var useSharedDeviceKeys: Bool?
    package var accountDisplayName: String?
    /// In seconds.
    package var loginFrequency: Int64?
    package var enableCreateUserAtLogin: Bool?
    package var enableAuthorization: Bool?
    package var tokenToUserMapping: TokenToUserMapping?
    package var newUserAuthenticationMethods: [NewUserAuthenticationMethod]?
    package var newUserAuthorizationMode: NewUserAuthorizationMode?
    package var userAuthorizationMode: UserAuthorizationMode?
    package var administratorGroups: [String]?
    package var additionalGroups: [String]?
    /// Authorization rights, mapped to groups.
    package var authorizationGroups: [String: String]?
    package var fileVaultPolicy: [AuthenticationPolicy]?
    package var loginPolicy: [AuthenticationPolicy]?
    package var unlockPolicy: [AuthenticationPolicy]?
    /// In seconds (Apple's declaration `ExtensibleSSO`, `Policies`; the documentation of the
    /// profile's keys specifies no unit).
    package var offlineGracePeriod: Int64?
    /// As ``offlineGracePeriod``.
    package var authenticationGracePeriod: Int64?
    package var nonPlatformSSOAccounts: [String]?
    package var allowDeviceIdentifiersInAttestation: Bool?
    package var enableRegistrationDuringSetup: Bool?
    package var enableCreateFirstUserDuringSetup: Bool?
    package var synchronizeProfilePicture: Bool?
    package var temporarySessionQuickLogin: Bool?
    package var accessKeyReaderGroupIdentifier: [UInt8]?
    package var accessKeyTerminalIdentityUUID: String?
    package var accessKeyReaderIssuerCertificateUUID: String?
    package var allowAccessKeyExpressMode: Bool?
    package var webLoginURLAllowList: [String]?
    package var allowWebLoginPasswordSync: Bool?
    /// In the declaration only.
    package var additionalHTTPHeaders: [String: String]?

    package init() {}

    /// All groups that are requested from a provider, at most 100.
    package var groups: [String] {
        (administratorGroups ?? []) + (additionalGroups ?? [])
            + (authorizationGroups ?? [:]).values.sorted()
    }
}

/// The claims that name the account of a new user.
package struct TokenToUserMapping: ProfileRecord {
    package var accountName: String?
    package var fullName: String?

    package init() {}

    package static let keys: [ProfileKey<Self>] = [
        ProfileKey(
            "AccountName", \.accountName, since: 14.0,
            """
            The claim with the name of the account; `com.apple.PlatformSSO.AccountShortName` is \
            the part of the username before the @ (15.4).
            """),
        ProfileKey("FullName", \.fullName, since: 14.0, "The claim with the full name."),
    ]
}
