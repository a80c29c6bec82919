// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn
import Testing

/// One way for a profile to be wrong, and what must be found.
struct ProfileFault: Sendable, CustomTestStringConvertible {
    let profile: PropertyList
    let code: ProfileIssue.Code
    let path: String
    var severity = ProfileIssue.Severity.error
    var context = ProfileInspection.Context()

    var testDescription: String { "\(code.rawValue) at \(path)" }

    init(
        _ payload: PropertyList, _ code: ProfileIssue.Code, _ path: String,
        _ severity: ProfileIssue.Severity = .error, context: ProfileInspection.Context = .init()
    ) {
        profile = Sample.profile([payload])
        self.code = code
        self.path = path.isEmpty ? "PayloadContent[0]" : "PayloadContent[0].\(path)"
        self.severity = severity
        self.context = context
    }

    init(
        profile: PropertyList, _ code: ProfileIssue.Code, _ path: String,
        _ severity: ProfileIssue.Severity = .error, context: ProfileInspection.Context = .init()
    ) {
        self.profile = profile
        self.code = code
        self.path = path
        self.severity = severity
        self.context = context
    }

    static let all = ofKeys + ofEnvelopes + ofExtensions + ofPlatformSSO + ofPolicies + ofKerberos

    static let ofKeys: [ProfileFault] = [
        ProfileFault(Sample.redirect([("Url", ["https://a.example"])]), .misspeltKey, "Url"),
        ProfileFault(Sample.redirect([("Colour", "red")]), .unknownKey, "Colour", .warning),
        ProfileFault(
            Sample.redirect([("LoginFrequency", 3600)]), .misplacedKey, "LoginFrequency"),
        ProfileFault(
            Sample.platform([("RegistrationToken", "x")]), .misplacedKey,
            "PlatformSSO.RegistrationToken"),
        ProfileFault(
            Sample.platform([("EnableAtLogin", true)]), .misplacedKey,
            "PlatformSSO.EnableAtLogin"),
        ProfileFault(
            Sample.redirect([("useSiteAutoDiscovery", true)]), .misplacedKey,
            "useSiteAutoDiscovery"),
        ProfileFault(
            Sample.redirect([("PayloadScope", "System")]), .misplacedKey, "PayloadScope"),
        ProfileFault(
            Sample.redirect([("ExtensionIdentifier", nil)]), .missingKey, "ExtensionIdentifier"),
        ProfileFault(Sample.redirect([("Type", nil)]), .missingKey, "Type"),
        ProfileFault(Sample.redirect([("TeamIdentifier", nil)]), .missingKey, "TeamIdentifier"),
        ProfileFault(Sample.redirect([("PayloadUUID", nil)]), .missingKey, "PayloadUUID"),
        ProfileFault(Sample.redirect([("URLs", "https://a.example/")]), .wrongType, "URLs"),
        ProfileFault(Sample.redirect([("URLs", [1])]), .wrongType, "URLs[0]"),
        ProfileFault(Sample.redirect([("PlatformSSO", true)]), .wrongType, "PlatformSSO"),
        ProfileFault(
            Sample.platform([("UseSharedDeviceKeys", 1)]), .wrongType,
            "PlatformSSO.UseSharedDeviceKeys"),
        ProfileFault(
            Sample.platform([("LoginFrequency", "3600")]), .wrongType,
            "PlatformSSO.LoginFrequency"),
        ProfileFault(
            Sample.platform([("AccessKeyReaderGroupIdentifier", "AQ==")]), .wrongType,
            "PlatformSSO.AccessKeyReaderGroupIdentifier"),
        ProfileFault(
            Sample.platform([("AuthorizationGroups", ["system.print": 1])]), .wrongType,
            "PlatformSSO.AuthorizationGroups.system.print"),
        ProfileFault(
            Sample.platform([("LoginFrequency", 3599)]), .outOfRange,
            "PlatformSSO.LoginFrequency"),
        ProfileFault(
            Sample.platform([("OfflineGracePeriod", -1)]), .outOfRange,
            "PlatformSSO.OfflineGracePeriod"),
        ProfileFault(Sample.redirect([("Type", "redirect")]), .unknownValue, "Type"),
        ProfileFault(
            Sample.platform([("AuthenticationMethod", "SecureEnclave")]), .unknownValue,
            "PlatformSSO.AuthenticationMethod"),
        ProfileFault(
            Sample.platform([("LoginPolicy", ["AllowTouchIDOrWatchForUnlock"])]), .unknownValue,
            "PlatformSSO.LoginPolicy[0]"),
        ProfileFault(
            Sample.platform([("UserAuthorizationMode", "Temporary")]), .unknownValue,
            "PlatformSSO.UserAuthorizationMode"),
        ProfileFault(
            Sample.redirect([("AuthenticationMethod", "Password")]), .deprecatedKey,
            "AuthenticationMethod", .warning),
        ProfileFault(
            Sample.platform([("LoginPolicy", ["RequireAuthentication"])]), .newerKey,
            "PlatformSSO.LoginPolicy", .warning, context: .init(target: 14.6)),
        ProfileFault(
            Sample.platform([("AuthenticationMethod", "OpenID")]), .newerKey,
            "PlatformSSO.AuthenticationMethod", .warning, context: .init(target: 26.2)),
    ]

    static let ofEnvelopes: [ProfileFault] = [
        ProfileFault(profile: ["a": 1], .notAProfile, ""),
        ProfileFault(profile: [1], .notAProfile, ""),
        ProfileFault(
            profile: Sample.profile([], [("PayloadContent", nil)]), .missingKey, "PayloadContent"),
        ProfileFault(
            profile: Sample.profile(
                [], [("IsEncrypted", true), ("EncryptedPayloadContent", .data([1]))]),
            .encryptedProfile, "EncryptedPayloadContent"),
        ProfileFault(
            profile: Sample.profile([Sample.redirect()], [("PayloadType", "Config")]),
            .unknownValue, "PayloadType"),
        ProfileFault(
            profile: Sample.profile([Sample.redirect()], [("PayloadVersion", 2)]), .wrongVersion,
            "PayloadVersion"),
        ProfileFault(Sample.redirect([("PayloadVersion", 2)]), .wrongVersion, "PayloadVersion"),
        ProfileFault(
            profile: Sample.profile([Sample.redirect()], [("PayloadScope", "Device")]),
            .unknownValue, "PayloadScope"),
        ProfileFault(
            Sample.redirect([("PayloadUUID", "not-a-uuid")]), .malformedUUID, "PayloadUUID",
            .warning),
        ProfileFault(
            Sample.redirect([("PayloadUUID", "0a2d9b1e-5d29-4b92-ae0e-46cb1c8f3b8a")]),
            .duplicateUUID, "PayloadUUID"),
        ProfileFault(
            Sample.redirect([("PayloadIdentifier", "com.example.profile")]), .duplicateIdentifier,
            "PayloadIdentifier", .warning),
        ProfileFault(
            profile: Sample.profile([
                Sample.redirect(),
                Sample.credential([
                    ("PayloadUUID", "FFFFFFFF-5D29-4B92-AE0E-46CB1C8F3B8A"),
                    ("PayloadIdentifier", "com.example.profile.sso"),
                ]),
            ]), .duplicateIdentifier, "PayloadContent[1].PayloadIdentifier"),
        ProfileFault(
            Sample.redirect([("PayloadType", "com.apple.extensibleSSO")]), .misspeltPayloadType,
            "PayloadType"),
        ProfileFault(Sample.redirect([("PayloadType", nil)]), .missingKey, "PayloadType"),
        ProfileFault(
            Sample.list([("PayloadType", "com.apple.wifi.managed")]), .otherPayload, "", .note),
        ProfileFault(
            profile: Sample.profile([Sample.list([("PayloadType", "com.apple.wifi.managed")])]),
            .noPayload, "", .warning),
        ProfileFault(profile: Sample.profile([]), .noPayload, "", .warning),
        ProfileFault(
            profile: Sample.profile(
                [Sample.redirect()], [("RemovalDate", .date(Timestamp(seconds: 100)))]),
            .removalInPast, "RemovalDate", .warning,
            context: .init(now: Timestamp(seconds: 200))),
        ProfileFault(
            Sample.domains(["authsrv:https://idp.example.com"]), .malformedDomain,
            "Configuration[0].AssociatedDomains[0]"),
        ProfileFault(
            Sample.domains(["idp.example.com"]), .malformedDomain,
            "Configuration[0].AssociatedDomains[0]"),
        ProfileFault(
            profile: Sample.profile([
                Sample.redirect(), Sample.domains(["authsrv:other.example.com"]),
            ]), .missingDomain, "PayloadContent[0].URLs[0]", .warning),
    ]

    static let ofExtensions: [ProfileFault] = [
        ProfileFault(
            Sample.redirect([("ExtensionIdentifier", "com..app")]), .malformedIdentifier,
            "ExtensionIdentifier"),
        ProfileFault(
            Sample.redirect([("TeamIdentifier", "abc")]), .malformedTeam, "TeamIdentifier",
            .warning),
        ProfileFault(Sample.redirect([("URLs", nil)]), .missingAddresses, "URLs"),
        ProfileFault(Sample.redirect([("URLs", [])]), .missingAddresses, "URLs"),
        ProfileFault(Sample.credential([("Hosts", nil)]), .missingAddresses, "Hosts"),
        ProfileFault(Sample.redirect([("Hosts", ["a.example"])]), .ignoredKey, "Hosts", .warning),
        ProfileFault(Sample.redirect([("Realm", "A")]), .ignoredKey, "Realm", .warning),
        ProfileFault(
            Sample.credential([("URLs", ["https://a.example"])]), .ignoredKey, "URLs", .warning),
        ProfileFault(
            Sample.redirect([("URLs", ["https://a.example", "idp.example.com"])]), .malformedURL,
            "URLs[1]"),
        ProfileFault(
            Sample.redirect([("URLs", ["ftp://idp.example.com/"])]), .malformedURL, "URLs[0]"),
        ProfileFault(
            Sample.redirect([("URLs", ["https://me@idp.example.com/"])]), .malformedURL, "URLs[0]"),
        ProfileFault(
            Sample.redirect([("URLs", ["https://*.example.com/"])]), .malformedURL,
            "URLs[0]"),
        ProfileFault(
            Sample.redirect([("URLs", ["https://idp.example.com/a?b"])]), .urlQuery, "URLs[0]"),
        ProfileFault(
            Sample.redirect([("URLs", ["https://idp.example.com/a#b"])]), .urlQuery, "URLs[0]"),
        ProfileFault(
            Sample.redirect([("URLs", ["http://idp.example.com/"])]), .urlNotSecure, "URLs[0]",
            .warning),
        ProfileFault(
            Sample.redirect([("URLs", ["https://a.example/x", "HTTPS://A.example.:443/x"])]),
            .duplicateURL, "URLs[1]"),
        ProfileFault(
            profile: Sample.profile([
                Sample.redirect(),
                Sample.redirect([
                    ("PayloadIdentifier", "com.example.2"),
                    ("PayloadUUID", "FFFFFFFF-5D29-4B92-AE0E-46CB1C8F3B8A"),
                ]),
            ]), .duplicateURL, "PayloadContent[1].URLs[0]"),
        ProfileFault(
            Sample.credential([("Hosts", ["*.contoso.com"])]), .malformedHost, "Hosts[0]", .warning),
        ProfileFault(
            Sample.credential([("Hosts", ["a.*.example.com"])]), .malformedHost, "Hosts[0]"),
        ProfileFault(
            Sample.credential([("Hosts", ["https://example.com"])]), .malformedHost, "Hosts[0]"),
        ProfileFault(
            Sample.credential([("Hosts", ["a.example", ".A.example", "A.EXAMPLE."])]),
            .duplicateHost, "Hosts[2]"),
        ProfileFault(
            Sample.redirect([("DeniedBundleIdentifiers", ["com example"])]), .malformedIdentifier,
            "DeniedBundleIdentifiers[0]", .warning),
        ProfileFault(
            Sample.redirect([("DeniedBundleIdentifiers", ["com.a", "com.a"])]), .duplicateEntry,
            "DeniedBundleIdentifiers[1]", .note),
    ]
}
