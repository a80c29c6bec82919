// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import SingleSignOn
import Testing

@Suite struct ProfileInspectionTests {
    @Test(
        "Each fault is found, with its weight, its path and its place", arguments: ProfileFault.all)
    func faults(fault: ProfileFault) throws {
        let inspection = try Sample.inspect(fault.profile, fault.context)
        let found = inspection.findings.filter { $0.code == fault.code && $0.path == fault.path }
        let paths = inspection.findings.map { "\($0.code.rawValue) \($0.path)" }
        #expect(!found.isEmpty, "only \(paths)")
        #expect(found.contains { $0.severity == fault.severity })
        #expect(
            inspection.verdict["verdict"]?.string
                == (inspection.worst == .error ? "refused" : "accepted"))
    }

    @Test("Every fault of a profile that has a code has a test")
    func coverage() {
        // Found in signed messages and in declarations, whose tests name them.
        let elsewhere: Set<ProfileIssue.Code> = [
            .signedProfile, .malformedComposedIdentifier, .wrongDeclarationType,
        ]
        let tested = Set(ProfileFault.all.map(\.code))
        #expect(Set(ProfileIssue.Code.allCases).subtracting(tested) == elsewhere)
    }

    @Test(
        "A good profile has no findings",
        arguments: [
            Sample.redirect(), Sample.credential(), Sample.platform([]),
            Sample.kerberos([
                ("useSiteAutoDiscovery", true), ("credentialUseMode", "kerberosDefault"),
                ("domainRealmMapping", ["EXAMPLE.COM": ["example.com"]]),
                (
                    "preferredKDCs",
                    ["kdc.example.com", "tcp/kdc.example.com:88", "kkdcp://p.example:443/kkdcp"]
                ),
            ]),
            Sample.platform([
                ("LoginPolicy", ["RequireAuthentication", "AllowOfflineGracePeriod"]),
                ("OfflineGracePeriod", 604_800),
                ("AuthorizationGroups", ["system.print": "printers"]),
                ("EnableCreateUserAtLogin", true),
                ("TokenToUserMapping", ["AccountName": "upn", "FullName": "name"]),
            ]),
            Sample.platform([
                ("AuthenticationMethod", "OpenID"), ("AllowWebLoginPasswordSync", true),
                ("WebLoginURLAllowList", ["idp.example.com", "https://b.example"]),
                ("LoginPolicy", ["AllowOfflineGracePeriod"]), ("OfflineGracePeriod", 3600),
            ]),
            Sample.platform([
                ("AuthenticationMethod", "UserSecureEnclaveKey"),
                (
                    "UnlockPolicy",
                    [
                        "RequireTouchID", "AllowOpenIDForTouchIDFallback",
                        "AllowOfflineGracePeriod",
                    ]
                ), ("OfflineGracePeriod", 86_400),
            ]),
        ])
    func good(payload: PropertyList) throws {
        let inspection = try Sample.inspect(payload: payload)
        #expect(inspection.findings == [])
        #expect(inspection.verdict["code"]?.string == "ok")
    }

    @Test("Apple's own example is accepted, apart from its team")
    func example() throws {
        let inspection = try ProfileInspection(Array(Self.appleExample.utf8))
        #expect(inspection.findings.map(\.code) == [.malformedTeam])
        #expect(inspection.singleSignOn.first?.realm == "COM.URL.COM")
        #expect(inspection.needs?.system == SystemVersion(10, 15))
    }

    @Test("Binary profiles are read the same, with bytes as places")
    func binary() throws {
        let list = Sample.profile([Sample.redirect([("Url", [])])])
        let inspection = try ProfileInspection(try BinaryPropertyListWriter.bytes(of: list))
        let finding = try #require(inspection.findings.first)
        #expect(finding.code == .misspeltKey)
        #expect(finding.remedy == "did you mean URLs?")
        #expect(inspection.document.place(at: finding.offset) == .byte(finding.offset))
        #expect(inspection.verdict["value"]?["findings"]?.array?.first?["where"]?["offset"] != nil)
    }

    @Test("The verdict says where, what, and what would be right")
    func words() throws {
        let verdict = try Sample.inspect(payload: Sample.platform([("LoginFrequency", 60)])).verdict
        #expect(verdict["verdict"] == "refused")
        #expect(verdict["code"] == "out_of_range")
        #expect(
            verdict["reason"]
                == "PayloadContent[0].PlatformSSO.LoginFrequency (33:5): 60 is too small; at least 3600"
        )
        let finding = verdict["value"]?["findings"]?.array?.first
        #expect(finding?["where"] == ["line": 33, "column": 5])
        #expect(finding?["severity"] == "error")
    }

    @Test("The value says what is configured, with defaults, and no secret")
    func value() throws {
        let payload = Sample.platform(
            [], [("RegistrationToken", "s3cret"), ("ExtensionData", ["client_secret": "s3cret"])])
        let verdict = try Sample.inspect(payload: payload).verdict
        let shown = try #require(verdict["value"]?["singleSignOn"]?.array?.first)
        #expect(shown["PlatformSSO"]?["LoginFrequency"] == 64_800)
        #expect(shown["ScreenLockedBehavior"] == "Cancel")
        #expect(shown["RegistrationToken"] == "[redacted]")
        #expect(shown["ExtensionData"] == ["client_secret"])
        #expect(!verdict.text.contains("s3cret"))
        #expect(verdict["value"]?["signature"]?["status"] == "unsigned")
        #expect(verdict["value"]?["needs"]?["macOS"] == "14.0")
    }

    @Test("What cannot be read is refused with a code and a place")
    func unreadable() {
        let verdict = ProfileInspection.verdict(
            on: Array("<plist><dict><key>a</key></dict></plist>".utf8))
        #expect(verdict["verdict"] == "refused")
        #expect(verdict["code"] == "plist_syntax")
        #expect(verdict["reason"]?.string?.hasSuffix("(1:26)") == true)
        #expect(ProfileInspection.verdict(on: [])["code"] == "plist_unknown_format")
        #expect(
            ProfileInspection.verdict(on: [UInt8](repeating: 0x20, count: 2_000_000))["code"]
                == "plist_too_large")
    }

    @Test("JSON that is no declaration is called that")
    func otherJSON() throws {
        let inspection = try ProfileInspection(Array("{\"PayloadContent\":[]}".utf8))
        #expect(inspection.findings.map(\.code) == [.notAProfile])
    }

    @Test("A profile removes itself at the earlier of its two dates")
    func removal() {
        var envelope = ProfileEnvelope()
        envelope.removalDate = Timestamp(seconds: 1000)
        envelope.durationUntilRemoval = 100
        let profile = ConfigurationProfile(envelope: envelope, payloads: [])
        #expect(profile.removal(installedAt: Timestamp(seconds: 0)) == Timestamp(seconds: 100))
        #expect(profile.removal(installedAt: Timestamp(seconds: 950)) == Timestamp(seconds: 1000))
        let endless = ConfigurationProfile(envelope: ProfileEnvelope(), payloads: [])
        #expect(endless.removal(installedAt: Timestamp(seconds: 0)) == nil)
        envelope.removalDate = nil
        envelope.durationUntilRemoval = 1e300
        #expect(
            ConfigurationProfile(envelope: envelope, payloads: [])
                .removal(installedAt: Timestamp(seconds: 0)) == nil)
    }

    /// As Apple documents the payload.
    static let appleExample = """
        <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>PayloadContent</key><array><dict>
        <key>ExtensionData</key><dict><key>useSiteAutoDiscovery</key><true/></dict>
        <key>ExtensionIdentifier</key><string>com.example.com</string>
        <key>TeamIdentifier</key><string>RandomTeamID</string>
        <key>Hosts</key><array><string>.com.example.com</string></array>
        <key>Realm</key><string>COM.URL.COM</string><key>Type</key><string>Credential</string>
        <key>PayloadIdentifier</key><string>com.example.myessopayload</string>
        <key>PayloadType</key><string>com.apple.extensiblesso</string>
        <key>PayloadUUID</key><string>dbed949d-39a2-440d-a84b-e0c825cdcb2e</string>
        <key>PayloadVersion</key><integer>1</integer></dict></array>
        <key>PayloadDisplayName</key><string>Extensible SSO</string>
        <key>PayloadIdentifier</key><string>com.example.myprofile</string>
        <key>PayloadType</key><string>Configuration</string>
        <key>PayloadUUID</key><string>da3bbbec-a753-4aa7-aeae-a74b7a65c0b5</string>
        <key>PayloadVersion</key><integer>1</integer></dict></plist>
        """
}
