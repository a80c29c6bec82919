// SPDX-License-Identifier: Apache-2.0

/// Rules of Apple's Kerberos extension.
extension ConfigurationRule {
    static let ofKerberos = [
        ConfigurationRule("the head of the Kerberos extension") { checkKerberosHead(&$0) },
        ConfigurationRule("its realm") { checkRealm(&$0) },
        ConfigurationRule("its servers") { checkServers(&$0) },
        ConfigurationRule("its ways to sign in") { checkWaysToSignIn(&$0) },
        ConfigurationRule("what explains passwords") { checkPasswordRules(&$0) },
    ]

    private static func checkKerberosHead(_ review: inout SSOReview) {
        guard review.configuration.isKerberos else { return }
        if let team = review.configuration.teamIdentifier, team != KerberosSettings.teamIdentifier {
            review.report(
                .error, .wrongKerberosHead, at: "TeamIdentifier",
                "the Kerberos extension is of the team apple", remedy: "apple")
        }
        if review.configuration.type == .redirect {
            review.report(
                .error, .wrongKerberosHead, at: "Type",
                "the Kerberos extension answers challenges", remedy: "Credential")
        }
        if review.configuration.realm == nil {
            review.report(
                .error, .missingKey, at: "Realm", "the Kerberos extension needs a realm",
                remedy: "as EXAMPLE.COM")
        }
    }

    private static func checkRealm(_ review: inout SSOReview) {
        guard review.configuration.isKerberos, let realm = review.configuration.realm,
            realm != realm.uppercased()
        else { return }
        review.report(
            .warning, .realmCase, at: "Realm",
            "\"\(realm)\" is not in upper case; realms are case-sensitive, and those of Active "
                + "Directory are in upper case", remedy: realm.uppercased())
    }

    private static func checkServers(_ review: inout SSOReview) {
        guard let servers = review.configuration.kerberos?.preferredKDCs else { return }
        for server in servers where !isServer(server) {
            review.report(
                .error, .malformedKDC, at: "ExtensionData.preferredKDCs",
                "\"\(server)\" is not a server",
                remedy: "as kdc.example.com, tcp/kdc.example.com:88 or kkdcp://host:443/path")
        }
    }

    /// `[protocol/]host[:port][/path]`, as in krb5.conf.
    private static func isServer(_ text: String) -> Bool {
        if text.hasPrefix("kkdcp://") || text.hasPrefix("https://") {
            let rest = text.drop { $0 != ":" }
            return (try? HTTPAddress("https" + rest)) != nil
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let place = parts.last,
            parts.count == 1 || ["tcp", "udp"].contains(parts[0])
        else { return false }
        return (try? HTTPAddress("https://\(place)")) != nil
    }

    private static func checkWaysToSignIn(_ review: inout SSOReview) {
        guard let settings = review.configuration.kerberos else { return }
        if settings.allowPassword == false, settings.allowSmartCard == false {
            review.report(
                .error, .noWayToSignIn, at: "ExtensionData.allowPassword",
                "neither a password nor a smart card is allowed")
        } else if settings.startInSmartCardMode == true, settings.allowSmartCard == false {
            review.report(
                .warning, .policyWithoutEffect, at: "ExtensionData.startInSmartCardMode",
                "smart cards are not allowed")
        }
        if settings.allowPlatformSSOAuthFallback != nil, settings.usePlatformSSOTGT != true {
            review.report(
                .note, .policyWithoutEffect, at: "ExtensionData.allowPlatformSSOAuthFallback",
                "it only counts with usePlatformSSOTGT")
        }
        checkReference(settings.certificateUUID, at: "ExtensionData.certificateUUID", &review)
    }

    private static func checkPasswordRules(_ review: inout SSOReview) {
        guard let settings = review.configuration.kerberos,
            settings.passwordComplexity == true || settings.passwordLength != nil
        else { return }
        for key in ["ExtensionData.pwReqText", "ExtensionData.pwReqRTFData"] where review.has(key) {
            review.report(
                .warning, .ignoredKey, at: key,
                "it is not shown where length or complexity are set")
        }
    }
}
