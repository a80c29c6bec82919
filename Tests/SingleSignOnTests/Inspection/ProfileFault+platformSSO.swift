// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

extension ProfileFault {
    static let ofPlatformSSO: [ProfileFault] = [
        ProfileFault(
            Sample.credential([("PlatformSSO", ["AuthenticationMethod": "Password"])]),
            .needsRedirect, "PlatformSSO"),
        ProfileFault(
            Sample.redirect([("RegistrationToken", "t")]), .needsMethod, "RegistrationToken"),
        ProfileFault(
            Sample.platform([], [("RegistrationToken", "")]), .outOfRange, "RegistrationToken",
            .warning),
        ProfileFault(
            Sample.platform([("AuthenticationMethod", nil)]), .needsMethod, "PlatformSSO",
            .warning),
        ProfileFault(
            Sample.platform([], [("AuthenticationMethod", "UserSecureEnclaveKey")]),
            .conflictingMethod, "AuthenticationMethod", .warning),
        ProfileFault(
            Sample.platform([("UseSharedDeviceKeys", nil), ("EnableAuthorization", true)]),
            .needsSharedKeys, "PlatformSSO.EnableAuthorization"),
        ProfileFault(
            Sample.platform([("UseSharedDeviceKeys", false), ("EnableCreateUserAtLogin", true)]),
            .needsSharedKeys, "PlatformSSO.EnableCreateUserAtLogin"),
        ProfileFault(
            Sample.platform([("UseSharedDeviceKeys", nil), ("AuthenticationMethod", "OpenID")]),
            .needsSharedKeys, "PlatformSSO.AuthenticationMethod"),
        ProfileFault(
            profile: Sample.profile([Sample.platform([])], [("PayloadScope", "User")]),
            .deviceChannelOnly, "PayloadContent[0].PlatformSSO.UseSharedDeviceKeys"),
        ProfileFault(
            Sample.platform([]), .deviceChannelOnly, "PlatformSSO.UseSharedDeviceKeys",
            context: .init(channel: .user)),
        ProfileFault(
            Sample.platform([
                ("AuthenticationMethod", "UserSecureEnclaveKey"), ("EnableCreateUserAtLogin", true),
            ]), .needsPasswordOrSmartCard, "PlatformSSO.EnableCreateUserAtLogin", .warning),
        ProfileFault(
            Sample.platform([("EnableCreateUserAtLogin", true)]), .needsMapping,
            "PlatformSSO.EnableCreateUserAtLogin", .warning),
        ProfileFault(
            Sample.platform([("TemporarySessionQuickLogin", true)]), .needsTemporaryMode,
            "PlatformSSO.TemporarySessionQuickLogin", .warning),
        ProfileFault(
            Sample.platform([("NewUserAuthenticationMethods", ["AccessKey"])]),
            .needsAccessKeySettings, "PlatformSSO.NewUserAuthenticationMethods"),
        ProfileFault(
            Sample.platform([("AccessKeyTerminalIdentityUUID", "x")]), .ignoredKey,
            "PlatformSSO.AccessKeyTerminalIdentityUUID", .warning),
        ProfileFault(
            Sample.platform([("AccessKeyTerminalIdentityUUID", "x")]), .missingReference,
            "PlatformSSO.AccessKeyTerminalIdentityUUID"),
        ProfileFault(
            Sample.platform([("UserAuthorizationMode", "Groups")]), .needsGroups,
            "PlatformSSO.UserAuthorizationMode", .warning),
        ProfileFault(
            Sample.platform([("NewUserAuthorizationMode", "Groups")]), .needsGroups,
            "PlatformSSO.NewUserAuthorizationMode", .warning),
        ProfileFault(
            Sample.platform([
                ("AdministratorGroups", .array((0..<101).map { .string("g\($0)") }))
            ]), .tooManyGroups, "PlatformSSO"),
        ProfileFault(
            Sample.platform([("AdditionalHTTPHeaders", ["X-Proxy": "a"])]), .misplacedKey,
            "PlatformSSO.AdditionalHTTPHeaders"),
        ProfileFault(
            Sample.platform([("AuthenticationMethod", "OpenID")]), .needsAllowList,
            "PlatformSSO.WebLoginURLAllowList"),
        ProfileFault(
            Sample.platform([("NewUserAuthenticationMethods", ["OpenID"])]), .needsAllowList,
            "PlatformSSO.WebLoginURLAllowList"),
        ProfileFault(
            Sample.platform([("AllowWebLoginPasswordSync", true)]), .ignoredKey,
            "PlatformSSO.AllowWebLoginPasswordSync", .warning),
        ProfileFault(
            Sample.platform([
                ("AuthenticationMethod", "OpenID"), ("WebLoginURLAllowList", ["*.example.com"]),
            ]), .malformedHost, "PlatformSSO.WebLoginURLAllowList[0]"),
        ProfileFault(
            profile: Sample.profile([
                Sample.platform([]),
                Sample.platform(
                    [],
                    [
                        ("URLs", ["https://b.example/"]), ("PayloadIdentifier", "com.example.2"),
                        ("PayloadUUID", "FFFFFFFF-5D29-4B92-AE0E-46CB1C8F3B8A"),
                    ]),
            ]), .severalPlatformSSO, "PayloadContent[1].PlatformSSO"),
    ]

    static let ofPolicies: [ProfileFault] = [
        ProfileFault(
            Sample.platform([("LoginPolicy", ["AttemptAuthentication", "RequireAuthentication"])]),
            .conflictingPolicies, "PlatformSSO.LoginPolicy", .warning),
        ProfileFault(
            Sample.platform([("UnlockPolicy", ["RequireTouchID", "RequireTouchIDOrWatch"])]),
            .conflictingPolicies, "PlatformSSO.UnlockPolicy", .warning),
        ProfileFault(
            Sample.platform([("UnlockPolicy", ["RequireTouchID", "RequireTouchID"])]),
            .duplicateEntry, "PlatformSSO.UnlockPolicy", .note),
        ProfileFault(
            Sample.platform([("UnlockPolicy", ["AllowTouchIDOrWatchForUnlock"])]),
            .policyWithoutEffect, "PlatformSSO.UnlockPolicy", .warning),
        ProfileFault(
            Sample.platform([("LoginPolicy", ["AllowOpenIDForTouchIDFallback"])]),
            .policyWithoutEffect, "PlatformSSO.LoginPolicy", .warning),
        ProfileFault(
            Sample.platform([
                ("AuthenticationMethod", "SmartCard"), ("LoginPolicy", ["RequireAuthentication"]),
            ]), .policyWithoutEffect, "PlatformSSO.LoginPolicy", .warning),
        ProfileFault(
            Sample.platform([
                ("LoginPolicy", ["RequireAuthentication", "AllowOfflineGracePeriod"])
            ]), .needsGracePeriod, "PlatformSSO.LoginPolicy"),
        ProfileFault(
            Sample.platform([
                ("FileVaultPolicy", ["RequireAuthentication", "AllowAuthenticationGracePeriod"])
            ]), .needsGracePeriod, "PlatformSSO.FileVaultPolicy"),
        ProfileFault(
            Sample.platform([("OfflineGracePeriod", 604_800)]), .unusedGracePeriod,
            "PlatformSSO.OfflineGracePeriod", .warning),
        ProfileFault(
            Sample.platform([
                ("LoginPolicy", ["RequireAuthentication", "AllowOfflineGracePeriod"]),
                ("OfflineGracePeriod", 7),
            ]), .shortGracePeriod, "PlatformSSO.OfflineGracePeriod", .warning),
        ProfileFault(
            Sample.platform([
                ("FileVaultPolicy", ["RequireAuthentication", "AllowAuthenticationGracePeriod"]),
                ("AuthenticationGracePeriod", 3599),
            ]), .shortGracePeriod, "PlatformSSO.AuthenticationGracePeriod", .warning),
        ProfileFault(
            Sample.platform([
                ("AuthenticationMethod", "UserSecureEnclaveKey"),
                ("LoginPolicy", ["RequireTouchID", "AttemptAuthentication"]),
            ]), .policyWithoutEffect, "PlatformSSO.LoginPolicy", .warning),
        ProfileFault(
            Sample.platform([
                ("AuthenticationMethod", "OpenID"), ("LoginPolicy", ["RequireAuthentication"]),
            ]), .policyWithoutEffect, "PlatformSSO.LoginPolicy", .warning),
    ]

    static let ofKerberos: [ProfileFault] = [
        ProfileFault(
            Sample.kerberos([], [("TeamIdentifier", "ABCDE12345")]), .wrongKerberosHead,
            "TeamIdentifier"),
        ProfileFault(
            Sample.kerberos([], [("Type", "Redirect")]), .wrongKerberosHead, "Type"),
        ProfileFault(Sample.kerberos([], [("Realm", nil)]), .missingKey, "Realm"),
        ProfileFault(
            Sample.kerberos([], [("Realm", "Example.com")]), .realmCase, "Realm", .warning),
        ProfileFault(
            Sample.kerberos([("pwReqLenght", 8)]), .misspeltKey, "ExtensionData.pwReqLenght"),
        ProfileFault(
            Sample.kerberos([("credentialUseMode", "sometimes")]), .unknownValue,
            "ExtensionData.credentialUseMode"),
        ProfileFault(
            Sample.kerberos([("cacheName", "x")]), .deprecatedKey, "ExtensionData.cacheName",
            .warning),
        ProfileFault(
            Sample.kerberos([("preferredKDCs", ["ftp/kdc.example.com"])]), .malformedKDC,
            "ExtensionData.preferredKDCs"),
        ProfileFault(
            Sample.kerberos([("preferredKDCs", ["kdc.example.com:99999"])]), .malformedKDC,
            "ExtensionData.preferredKDCs"),
        ProfileFault(
            Sample.kerberos([("allowPassword", false), ("allowSmartCard", false)]),
            .noWayToSignIn, "ExtensionData.allowPassword"),
        ProfileFault(
            Sample.kerberos([("startInSmartCardMode", true), ("allowSmartCard", false)]),
            .policyWithoutEffect, "ExtensionData.startInSmartCardMode", .warning),
        ProfileFault(
            Sample.kerberos([("allowPlatformSSOAuthFallback", false)]), .policyWithoutEffect,
            "ExtensionData.allowPlatformSSOAuthFallback", .note),
        ProfileFault(
            Sample.kerberos([("certificateUUID", "x")]), .missingReference,
            "ExtensionData.certificateUUID"),
        ProfileFault(
            Sample.kerberos([("pwReqText", "long"), ("pwReqLength", 8)]), .ignoredKey,
            "ExtensionData.pwReqText", .warning),
        ProfileFault(
            profile: Sample.profile([
                Sample.kerberos([("isDefaultRealm", true)]),
                Sample.kerberos(
                    [("isDefaultRealm", true)],
                    [
                        ("Realm", "OTHER.COM"), ("Hosts", [".other.com"]),
                        ("PayloadIdentifier", "com.example.2"),
                        ("PayloadUUID", "FFFFFFFF-5D29-4B92-AE0E-46CB1C8F3B8A"),
                    ]),
            ]), .severalDefaultRealms, "PayloadContent[1].ExtensionData.isDefaultRealm", .warning),
    ]
}
