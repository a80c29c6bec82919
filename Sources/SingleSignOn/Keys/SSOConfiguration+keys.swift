// SPDX-License-Identifier: Apache-2.0

extension SSOConfiguration {
    /// The generic keys of the payload, as Apple documents them.
    package static let keys: [ProfileKey<Self>] = [
        ProfileKey(
            "ExtensionIdentifier", \.extensionIdentifier, required: true,
            since: SystemVersion(10, 15), iOS: true,
            "The bundle identifier of the extension."),
        ProfileKey(
            "TeamIdentifier", \.teamIdentifier, since: SystemVersion(10, 15),
            "The team that signed the extension; needed on macOS."),
        ProfileKey(
            "Type", \.type, required: true, since: SystemVersion(10, 15), iOS: true,
            declared: .at("Type"),
            "Redirect takes over requests to URLs; Credential answers challenges of Hosts."),
        ProfileKey(
            "URLs", \.urls, since: SystemVersion(10, 15), iOS: true, declared: .at("URLs"),
            """
            Prefixes of addresses, http or https, without query and fragment, each once over all \
            payloads. Needed for Redirect, ignored for Credential.
            """),
        ProfileKey(
            "Hosts", \.hosts, since: SystemVersion(10, 15), iOS: true, declared: .at("Hosts"),
            """
            Host names; one that begins with a dot includes all its subdomains. Each once over all \
            payloads. Needed for Credential, ignored for Redirect.
            """),
        ProfileKey(
            "Realm", \.realm, since: SystemVersion(10, 15), iOS: true, declared: .at("Realm"),
            "The realm, in its own spelling. For Credential only."),
        ProfileKey(
            entries: "ExtensionData", \.extensionData, since: SystemVersion(10, 15), iOS: true,
            declared: .at("ExtensionData"), "Data for the extension, with keys that it defines."),
        ProfileKey(
            "ScreenLockedBehavior", \.screenLockedBehavior, default: "Cancel", since: 12.0,
            iOS: true, declared: .at("ScreenLockedBehavior"),
            "While the screen is locked: cancel requests, or let them go on without sign-on."),
        ProfileKey(
            "DeniedBundleIdentifiers", \.deniedBundleIdentifiers, since: 12.0, iOS: true,
            declared: .at("DeniedBundleIdentifiers"),
            "Apps for which the extension does nothing."),
        ProfileKey(
            "AuthenticationMethod", \.formerAuthenticationMethod, since: 13.0, deprecated: 14.0,
            "Use AuthenticationMethod in PlatformSSO."),
        ProfileKey(
            "RegistrationToken", \.registrationToken, since: 13.0,
            declared: .at("PlatformSSO.RegistrationToken"),
            "Registers the device silently. Needs an AuthenticationMethod."),
        ProfileKey(
            "PlatformSSO", \.platformSSO, since: 14.0, declared: .inParts,
            "Platform SSO. Needs the type Redirect."),
    ]
}
