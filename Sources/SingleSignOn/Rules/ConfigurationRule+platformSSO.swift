// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Rules of `PlatformSSO`, policies apart.
extension ConfigurationRule {
    static let ofPlatformSSO = [
        ConfigurationRule("Platform SSO needs a redirect extension") { checkType(&$0) },
        ConfigurationRule("one authentication method") { checkMethod(&$0) },
        ConfigurationRule("shared device keys and their channel") { checkSharedKeys(&$0) },
        ConfigurationRule("new accounts") { checkNewAccounts(&$0) },
        ConfigurationRule("access keys") { checkAccessKeys(&$0) },
        ConfigurationRule("groups") { checkGroups(&$0) },
        ConfigurationRule("web login") { checkWebLogin(&$0) },
        ConfigurationRule("additional headers") { checkHeaders(&$0) },
    ]

    private static func checkType(_ review: inout SSOReview) {
        guard review.has("PlatformSSO"), review.configuration.type == .credential else { return }
        review.report(
            .error, .needsRedirect, at: "PlatformSSO",
            "Platform SSO does not work with the type Credential", remedy: "Type Redirect")
    }

    private static func checkMethod(_ review: inout SSOReview) {
        let configuration = review.configuration
        let method = "PlatformSSO.AuthenticationMethod"
        if configuration.registrationToken != nil, configuration.authenticationMethod == nil {
            review.report(
                .error, .needsMethod, at: "RegistrationToken",
                "a registration token has no effect without an authentication method",
                remedy: "add \(review.name(method))")
        }
        if configuration.registrationToken?.isEmpty == true {
            review.report(
                .warning, .outOfRange, at: "RegistrationToken", "the token is empty",
                remedy: "omit the key if there is no token")
        }
        if let settings = configuration.platformSSO, configuration.authenticationMethod == nil,
            !settings.entries.isEmpty
        {
            review.report(
                .warning, .needsMethod, at: "PlatformSSO",
                "without an authentication method Platform SSO is off",
                remedy: "add \(review.name(method))")
        }
        if let former = configuration.formerAuthenticationMethod,
            let current = configuration.platformSSO?.authenticationMethod, former != current
        {
            review.report(
                .warning, .conflictingMethod, at: "AuthenticationMethod",
                "macOS 13 uses \(former.rawValue), later ones \(current.rawValue)")
        }
    }

    private static func checkSharedKeys(_ review: inout SSOReview) {
        let settings = review.platformSSO
        let shared = "PlatformSSO.UseSharedDeviceKeys"
        if settings.useSharedDeviceKeys == true, review.surroundings.channel == .user {
            review.report(
                .error, .deviceChannelOnly, at: shared,
                "shared device keys are for the device channel only",
                remedy: review.isDeclaration ? "the system scope" : "PayloadScope System")
        }
        guard settings.useSharedDeviceKeys != true else { return }
        let needing = [
            ("PlatformSSO.EnableCreateUserAtLogin", settings.enableCreateUserAtLogin == true),
            ("PlatformSSO.EnableAuthorization", settings.enableAuthorization == true),
            (
                "PlatformSSO.AuthenticationMethod",
                review.configuration.authenticationMethod == .openID
            ),
        ]
        for (key, needs) in needing where needs {
            review.report(
                .error, .needsSharedKeys, at: key, "\(review.name(key)) needs shared device keys",
                remedy: "\(review.name(shared)) true")
        }
    }

    private static func checkNewAccounts(_ review: inout SSOReview) {
        let settings = review.platformSSO
        let mode = "PlatformSSO.NewUserAuthorizationMode"
        if settings.enableCreateUserAtLogin == true {
            if settings.authenticationMethod == .userSecureEnclaveKey {
                review.report(
                    .warning, .needsPasswordOrSmartCard, at: "PlatformSSO.EnableCreateUserAtLogin",
                    "UserSecureEnclaveKey does not allow a first sign-in",
                    remedy: "Password or SmartCard")
            }
            if settings.tokenToUserMapping == nil {
                review.report(
                    .warning, .needsMapping, at: "PlatformSSO.EnableCreateUserAtLogin",
                    "there is no mapping of claims to the name of a new account",
                    remedy: "add \(review.name("PlatformSSO.TokenToUserMapping"))")
            }
        }
        if settings.temporarySessionQuickLogin == true,
            settings.newUserAuthorizationMode != .temporary
        {
            review.report(
                .warning, .needsTemporaryMode, at: "PlatformSSO.TemporarySessionQuickLogin",
                "quick login is for temporary sessions", remedy: "\(review.name(mode)) Temporary")
        }
    }

    private static func checkAccessKeys(_ review: inout SSOReview) {
        let settings = review.platformSSO
        let isWanted = settings.newUserAuthenticationMethods?.contains(.accessKey) == true
        let keys = [
            "PlatformSSO.AccessKeyReaderGroupIdentifier",
            "PlatformSSO.AccessKeyTerminalIdentityUUID",
            "PlatformSSO.AccessKeyReaderIssuerCertificateUUID",
        ]
        for key in keys {
            if isWanted, !review.has(key) {
                review.report(
                    .error, .needsAccessKeySettings, at: "PlatformSSO.NewUserAuthenticationMethods",
                    "AccessKey needs \(review.name(key))")
            } else if !isWanted, review.has(key) {
                review.report(
                    .warning, .ignoredKey, at: key,
                    "only people with access keys need it, and AccessKey is not allowed")
            }
        }
        checkReference(settings.accessKeyTerminalIdentityUUID, at: keys[1], &review)
        checkReference(settings.accessKeyReaderIssuerCertificateUUID, at: keys[2], &review)
    }

    /// Checks that a UUID is one of a payload in the same profile.
    static func checkReference(_ uuid: String?, at key: String, _ review: inout SSOReview) {
        guard let uuid, !review.isDeclaration,
            !review.surroundings.payloadUUIDs.contains(uuid.uppercased())
        else { return }
        review.report(
            .error, .missingReference, at: key, "no payload of this profile has the UUID \(uuid)")
    }

    private static func checkGroups(_ review: inout SSOReview) {
        let settings = review.platformSSO
        let modes = [
            (
                "PlatformSSO.NewUserAuthorizationMode", settings.newUserAuthorizationMode == .groups
            ),
            ("PlatformSSO.UserAuthorizationMode", settings.userAuthorizationMode == .groups),
        ]
        for (key, isGroups) in modes where isGroups && settings.groups.isEmpty {
            review.report(
                .warning, .needsGroups, at: key, "Groups, but no group is named",
                remedy: "add \(review.name("PlatformSSO.AdministratorGroups"))")
        }
        if settings.groups.count > 100 {
            review.report(
                .error, .tooManyGroups, at: "PlatformSSO",
                "\(settings.groups.count) groups; at most 100 are requested from a provider")
        }
    }

    private static func checkWebLogin(_ review: inout SSOReview) {
        let settings = review.platformSSO
        let list = "PlatformSSO.WebLoginURLAllowList"
        let isWeb =
            review.configuration.authenticationMethod == .openID
            || settings.newUserAuthenticationMethods?.contains(.openID) == true
        if isWeb, settings.webLoginURLAllowList?.isEmpty != false {
            review.report(
                .error, .needsAllowList, at: list,
                "OpenID needs the hosts that the web login may load")
        }
        if !isWeb {
            for key in [list, "PlatformSSO.AllowWebLoginPasswordSync"] where review.has(key) {
                review.report(
                    .warning, .ignoredKey, at: key, "there is no web login without OpenID")
            }
        }
        let elements = review.node["PlatformSSO"]?["WebLoginURLAllowList"]?.elements ?? []
        for (index, element) in elements.enumerated() {
            guard let text = element.string, !isAllowListEntry(text) else { continue }
            review.report(
                .error, .malformedHost, at: list, index: index,
                "\"\(text)\" is not a host; wildcards and paths are not supported here",
                remedy: "as idp.example.com")
        }
    }

    /// A host, alone or with its scheme.
    private static func isAllowListEntry(_ text: String) -> Bool {
        if HostName(text) != nil { return true }
        guard let address = try? HTTPAddress(text) else { return false }
        return address.path == "/" && !address.hasQuery && !address.hasFragment
    }

    private static func checkHeaders(_ review: inout SSOReview) {
        let key = "PlatformSSO.AdditionalHTTPHeaders"
        guard review.has(key) else { return }
        guard review.isDeclaration else {
            return review.report(
                .error, .misplacedKey, at: key, "AdditionalHTTPHeaders has no effect here",
                remedy: "it belongs to PlatformSSO of the declaration")
        }
        let headers = review.platformSSO.additionalHTTPHeaders ?? [:]
        if headers.count > AdditionalHTTPHeaders.maximumCount {
            review.report(
                .error, .outOfRange, at: key,
                "\(headers.count) headers; a device sends \(AdditionalHTTPHeaders.maximumCount)")
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            guard let fault = AdditionalHTTPHeaders.fault(name: name, value: value) else {
                continue
            }
            review.report(.error, .outOfRange, at: key, "\"\(name)\" \(fault)")
        }
    }
}
