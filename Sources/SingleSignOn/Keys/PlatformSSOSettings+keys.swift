// SPDX-License-Identifier: Apache-2.0

extension PlatformSSOSettings {
    /// The keys of `PlatformSSO`, as Apple documents them for macOS 27.
    package static let keys: [ProfileKey<Self>] =
        registration + accounts + groupKeys + policies
        + accessKeys + webLogin

    private static let registration: [ProfileKey<Self>] = [
        ProfileKey(
            "AuthenticationMethod", \.authenticationMethod, since: 14.0,
            declared: .at("PlatformSSO.AuthenticationMethod"),
            "How people prove who they are. The extension must support it."),
        ProfileKey(
            "UseSharedDeviceKeys", \.useSharedDeviceKeys, default: false, since: 14.0,
            declared: .at("PlatformSSO.UseSharedDeviceKeys"),
            "One pair of keys for all people of the device. Device channel only."),
        ProfileKey(
            "AccountDisplayName", \.accountDisplayName, since: 14.0,
            declared: .at("PlatformSSO.Account.DisplayName"),
            "What the account is called in notifications and prompts."),
        ProfileKey(
            "LoginFrequency", \.loginFrequency, form: .integer(least: 3600), default: 64_800,
            since: 14.0, declared: .at("PlatformSSO.LoginFrequency"),
            "Seconds until a full login is needed instead of a refresh."),
        ProfileKey(
            "AllowDeviceIdentifiersInAttestation", \.allowDeviceIdentifiersInAttestation,
            default: false, since: 15.4,
            declared: .at("PlatformSSO.AllowDeviceIdentifiersInAttestation"),
            "Serial number and UDID in attestations of keys."),
        ProfileKey(
            "EnableRegistrationDuringSetup", \.enableRegistrationDuringSetup, default: false,
            since: 26.0, declared: .at("PlatformSSO.UserCreation.EnableRegistrationDuringSetup"),
            "Registers in Setup Assistant; needed where enrolment asks for Platform SSO."),
        ProfileKey(
            "SynchronizeProfilePicture", \.synchronizeProfilePicture, default: false, since: 26.0,
            declared: .at("PlatformSSO.Account.SynchronizeProfilePicture"),
            "Asks the extension for the person's picture."),
    ]

    private static let accounts: [ProfileKey<Self>] = [
        ProfileKey(
            "EnableCreateUserAtLogin", \.enableCreateUserAtLogin, default: false, since: 14.0,
            declared: .at("PlatformSSO.UserCreation.EnableAtLogin"),
            """
            Makes accounts at the login window, with Password or SmartCard. Needs \
            UseSharedDeviceKeys.
            """),
        ProfileKey(
            "EnableCreateFirstUserDuringSetup", \.enableCreateFirstUserDuringSetup, default: true,
            since: 26.0, declared: .at("PlatformSSO.UserCreation.EnableFirstUserDuringSetup"),
            "Makes the first account of the Mac in Setup Assistant."),
        ProfileKey(
            "TokenToUserMapping", \.tokenToUserMapping, since: 14.0,
            declared: .at("PlatformSSO.UserCreation.TokenToUserMapping"),
            "Which claims name a new account."),
        ProfileKey(
            "NewUserAuthenticationMethods", \.newUserAuthenticationMethods,
            default: ["Password", "SmartCard"], since: 26.0,
            declared: .at("PlatformSSO.UserCreation.NewUserAuthenticationMethods"),
            "How people whose account is made may prove who they are."),
        ProfileKey(
            "NewUserAuthorizationMode", \.newUserAuthorizationMode, since: 14.0,
            declared: .at("PlatformSSO.UserCreation.NewUserAuthorizationMode"),
            "What a new account may do."),
        ProfileKey(
            "TemporarySessionQuickLogin", \.temporarySessionQuickLogin, default: false,
            since: 26.0, declared: .at("PlatformSSO.UserCreation.TemporarySessionQuickLogin"),
            "Erases only parts of the home between sessions, all of it every eight hours."),
    ]

    private static let groupKeys: [ProfileKey<Self>] = [
        ProfileKey(
            "EnableAuthorization", \.enableAuthorization, default: false, since: 14.0,
            declared: .at("PlatformSSO.Authorization.EnableIdentityProviderAccounts"),
            "Accounts of the provider at authorization prompts. Needs UseSharedDeviceKeys."),
        ProfileKey(
            "UserAuthorizationMode", \.userAuthorizationMode, since: 14.0,
            declared: .at("PlatformSSO.Authorization.UserAuthorizationMode"),
            "What an account may do after each sign-in; absent leaves it as it is."),
        ProfileKey(
            "AdministratorGroups", \.administratorGroups, since: 14.0,
            declared: .at("PlatformSSO.Authorization.AdministratorGroups"),
            "Groups whose members are administrators."),
        ProfileKey(
            "AdditionalGroups", \.additionalGroups, since: 14.0,
            declared: .at("PlatformSSO.Authorization.AdditionalGroups"),
            "Groups that are made without administrator access."),
        ProfileKey(
            "AuthorizationGroups", \.authorizationGroups, since: 14.0,
            declared: .at("PlatformSSO.Authorization.AuthorizationGroups"),
            "Authorization rights, each with the group that has it."),
    ]

    private static let policies: [ProfileKey<Self>] = [
        ProfileKey(
            "FileVaultPolicy", \.fileVaultPolicy, form: AuthenticationPolicy.withoutUnlock,
            since: 15.0, declared: .at("PlatformSSO.Policies.FileVault"),
            "What FileVault asks for. With Password."),
        ProfileKey(
            "LoginPolicy", \.loginPolicy, form: AuthenticationPolicy.withoutUnlock, since: 15.0,
            declared: .at("PlatformSSO.Policies.Login"),
            "What the login window asks for. With Password."),
        ProfileKey(
            "UnlockPolicy", \.unlockPolicy, since: 15.0,
            declared: .at("PlatformSSO.Policies.Unlock"),
            "What the lock screen asks for. With Password."),
        ProfileKey(
            "OfflineGracePeriod", \.offlineGracePeriod, form: .integer(least: 0), since: 15.0,
            declared: .at("PlatformSSO.Policies.OfflineGracePeriod"),
            """
            How many seconds after the last login the local password opens offline. Needed with \
            AllowOfflineGracePeriod.
            """),
        ProfileKey(
            "AuthenticationGracePeriod", \.authenticationGracePeriod, form: .integer(least: 0),
            since: 15.0, declared: .at("PlatformSSO.Policies.AuthenticationGracePeriod"),
            """
            How many seconds after a change of policy unregistered accounts may sign in. Needed with \
            AllowAuthenticationGracePeriod.
            """),
        ProfileKey(
            "NonPlatformSSOAccounts", \.nonPlatformSSOAccounts, since: 15.0,
            declared: .at("PlatformSSO.Policies.NonPlatformSSOAccounts"),
            "Local accounts that no policy and no prompt concerns."),
    ]

    private static let accessKeys: [ProfileKey<Self>] = [
        ProfileKey(
            bytes: "AccessKeyReaderGroupIdentifier", \.accessKeyReaderGroupIdentifier,
            since: 26.0, declared: .at("PlatformSSO.AccessKey.ReaderGroupIdentifier"),
            "The reader group of access keys. Needed for AccessKey."),
        ProfileKey(
            "AccessKeyTerminalIdentityUUID", \.accessKeyTerminalIdentityUUID, since: 26.0,
            declared: .at("PlatformSSO.AccessKey.TerminalIdentityAssetReference"),
            "The payload, or asset, with the identity of the reader. Needed for AccessKey."),
        ProfileKey(
            "AccessKeyReaderIssuerCertificateUUID", \.accessKeyReaderIssuerCertificateUUID,
            since: 26.2,
            declared: .at("PlatformSSO.AccessKey.ReaderIssuerCertificateAssetReference"),
            "The payload, or asset, with the certificate of its issuer. Needed for AccessKey."),
        ProfileKey(
            "AllowAccessKeyExpressMode", \.allowAccessKeyExpressMode, default: false, since: 26.0,
            declared: .at("PlatformSSO.AccessKey.AllowExpressMode"),
            "Access keys without authentication before use."),
    ]

    private static let webLogin: [ProfileKey<Self>] = [
        ProfileKey(
            "WebLoginURLAllowList", \.webLoginURLAllowList, since: 27.0,
            declared: .at("PlatformSSO.WebAuthentication.URLAllowList"),
            "Hosts that the web login may load; no wildcards. Needed for OpenID."),
        ProfileKey(
            "AllowWebLoginPasswordSync", \.allowWebLoginPasswordSync, default: false, since: 27.0,
            declared: .at("PlatformSSO.WebAuthentication.AllowPasswordSync"),
            "Takes over the password of the web login for the local account."),
        ProfileKey(
            "AdditionalHTTPHeaders", \.additionalHTTPHeaders,
            since: AdditionalHTTPHeaders.firstVersion,
            declared: .at("PlatformSSO.AdditionalHTTPHeaders"),
            """
            Headers that the device adds to its requests for nonces, logins and keys; 20 at most. In \
            the declaration only.
            """),
    ]
}
