// SPDX-License-Identifier: Apache-2.0

extension KerberosSettings {
    /// The keys of the Kerberos extension's `ExtensionData`, as Apple documents them.
    package static let keys: [ProfileKey<Self>] = tickets + access + passwords + smartCards

    /// The first macOS with the extension.
    private static let first = SystemVersion(10, 15)

    private static let tickets: [ProfileKey<Self>] = [
        ProfileKey(
            "principalName", \.principalName, since: first, iOS: true,
            "The user name, without realm."),
        ProfileKey(
            "siteCode", \.siteCode, since: first, iOS: true, "The Active Directory site."),
        ProfileKey(
            "useSiteAutoDiscovery", \.useSiteAutoDiscovery, default: true, since: first, iOS: true,
            "Finds the site through LDAP and DNS."),
        ProfileKey(
            "certificateUUID", \.certificateUUID, since: first, iOS: true,
            "The payload with the certificate for PKINIT."),
        ProfileKey(
            "domainRealmMapping", \.domainRealmMapping, since: first, iOS: true,
            "Realms, each with the suffixes of names that belong to it."),
        ProfileKey(
            "isDefaultRealm", \.isDefaultRealm, default: false, since: first, iOS: true,
            "The default among several realms."),
        ProfileKey(
            "preferredKDCs", \.preferredKDCs, since: 12.0, iOS: true,
            "Servers to ask before DNS: host, tcp/host:port or kkdcp://host:port/path."),
        ProfileKey(
            "requireTLSForLDAP", \.requireTLSForLDAP, default: false, since: 11.0, iOS: true,
            "LDAP over TLS only."),
        ProfileKey(
            "usePlatformSSOTGT", \.usePlatformSSOTGT, default: false, since: 13.0,
            "Takes the ticket-granting ticket from Platform SSO."),
        ProfileKey(
            "allowPlatformSSOAuthFallback", \.allowPlatformSSOAuthFallback, default: true,
            since: 13.0, "Lets people sign in by hand all the same."),
        ProfileKey(
            "performKerberosOnly", \.performKerberosOnly, default: false, since: 13.0, iOS: true,
            "No checks of expiry, no password sync, no home folder."),
        ProfileKey(
            "monitorCredentialsCache", \.monitorCredentialsCache, default: true, since: 11.0,
            "Renews a missing credential at once, not at the next challenge."),
        ProfileKey(
            "delayUserSetup", \.delayUserSetup, default: false, since: 11.0,
            "Asks nothing before the first challenge, or app-sso."),
        ProfileKey(
            "cacheName", \.cacheName, since: first, deprecated: 12.0, iOS: true,
            "The GSS name of the cache."),
    ]

    private static let access: [ProfileKey<Self>] = [
        ProfileKey(
            "credentialBundleIdACL", \.credentialBundleIDACL, since: first, iOS: true,
            "Apps that may use the ticket; their case matters."),
        ProfileKey(
            "includeManagedAppsInBundleIdACL", \.includeManagedAppsInBundleIDACL, default: false,
            since: 12.0, iOS: true, "Adds managed apps to them."),
        ProfileKey(
            "includeKerberosAppsInBundleIdACL", \.includeKerberosAppsInBundleIDACL,
            default: false, since: 12.0, "Adds klist and TicketViewer to them."),
        ProfileKey(
            "credentialUseMode", \.credentialUseMode, default: "always", since: 11.0, iOS: true,
            "When other processes use the credential."),
        ProfileKey(
            "customUsernameLabel", \.customUsernameLabel, since: 11.0, iOS: true,
            "What the user name is called."),
        ProfileKey(
            "helpText", \.helpText, since: 11.0, iOS: true, "A text below the login window."),
        ProfileKey(
            "allowAutomaticLogin", \.allowAutomaticLogin, default: true, since: first, iOS: true,
            "Keeps passwords in the keychain."),
        ProfileKey(
            "requireUserPresence", \.requireUserPresence, default: false, since: first, iOS: true,
            "Asks for a finger or the passcode before they are used."),
    ]

    private static let passwords: [ProfileKey<Self>] = [
        ProfileKey(
            "allowPasswordChange", \.allowPasswordChange, default: true, since: first,
            "Lets people change the password."),
        ProfileKey(
            "pwChangeURL", \.passwordChangeURL, since: first,
            "A page for that, opened in the browser."),
        ProfileKey(
            "pwNotificationDays", \.passwordNotificationDays, form: .integer(least: 0),
            default: 15, since: first, "Days before expiry when people are told."),
        ProfileKey(
            "pwExpireOverride", \.passwordExpiryOverride, form: .integer(least: 0), since: first,
            deprecated: 12.0, "Lifetime of passwords in days."),
        ProfileKey(
            "pwReqLength", \.passwordLength, form: .integer(least: 0), since: first,
            "Least length of a password."),
        ProfileKey(
            "pwReqComplexity", \.passwordComplexity, default: false, since: first,
            "Complex as Active Directory means it."),
        ProfileKey(
            "pwReqMinAge", \.passwordMinimumAge, form: .integer(least: 0), since: first,
            "Least age of a password that is changed."),
        ProfileKey(
            "pwReqHistory", \.passwordHistory, form: .integer(least: 0), since: first,
            "Earlier passwords that may not come again."),
        ProfileKey(
            "pwReqText", \.passwordRequirementsText, since: first,
            "The rules in words, where length and complexity are not set."),
        ProfileKey(
            bytes: "pwReqRTFData", \.passwordRequirementsRTF, since: 15.0,
            "The same as RTF."),
        ProfileKey(
            "syncLocalPassword", \.syncLocalPassword, default: false, since: first,
            "The local password follows the one of the directory."),
        ProfileKey(
            "replicationTime", \.replicationTime, form: .integer(least: 0), default: 900,
            since: 11.0, deprecated: 12.0, "Seconds that a change takes to reach all servers."),
    ]

    private static let smartCards: [ProfileKey<Self>] = [
        ProfileKey(
            "identityIssuerAutoSelectFilter", \.identityIssuerAutoSelectFilter, since: 15.0,
            "Chooses a card by its issuer; * matches any text."),
        ProfileKey(
            "allowSmartCard", \.allowSmartCard, default: true, since: 15.0,
            "Lets people choose a smart card."),
        ProfileKey(
            "allowPassword", \.allowPassword, default: true, since: 15.0,
            "Lets people choose a password."),
        ProfileKey(
            "startInSmartCardMode", \.startInSmartCardMode, default: false, since: 15.0,
            "Offers the smart card first."),
    ]
}
