// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import SingleSignOn
import Testing

@Suite struct KeyDocumentationTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/profile-keys.md")

    /// `GATEHOUSE_DRAW=1` writes it.
    @Test("docs/profile-keys.md says what the table says")
    func fresh() throws {
        let drawn = KeyDocumentation.markdown
        if ProcessInfo.processInfo.environment["GATEHOUSE_DRAW"] != nil {
            try Data(drawn.utf8).write(to: Self.page)
        }
        #expect(
            try String(contentsOf: Self.page, encoding: .utf8) == drawn,
            "stale: run `gatehouse platform-sso keys > docs/profile-keys.md`")
    }

    @Test("Programs get the same table")
    func json() {
        let keys = KeyDocumentation.json["PlatformSSO"]?.array
        #expect(keys?.count == PlatformSSOSettings.keys.count)
        let frequency = keys?.first { $0["key"] == "LoginFrequency" }
        #expect(frequency?["default"] == 64_800 && frequency?["since"] == "14.0")
        #expect(frequency?["declaration"] == "PlatformSSO.LoginFrequency")
    }

    @Test("Every key has a sentence, and its default is of its form")
    func sentences() {
        let tables = [
            SSOConfiguration.descriptions, PlatformSSOSettings.descriptions,
            TokenToUserMapping.descriptions, KerberosSettings.descriptions,
            PayloadHead.descriptions, ProfileEnvelope.descriptions,
        ]
        for key in tables.joined() {
            #expect(key.meaning.hasSuffix("."), "\(key.name)")
            #expect(!key.meaning.contains("|"), "\(key.name)")
        }
        for table in tables { #expect(Set(table.map(\.name)).count == table.count) }
    }

    @Test("Defaults are filled in from the table")
    func defaults() {
        let platform = PlatformSSOSettings().withDefaults
        #expect(platform.loginFrequency == 64_800)
        #expect(platform.enableCreateFirstUserDuringSetup == true)
        #expect(platform.newUserAuthenticationMethods == [.password, .smartCard])
        #expect(platform.authenticationMethod == nil)
        let kerberos = KerberosSettings().withDefaults
        #expect(kerberos.credentialUseMode == .always && kerberos.passwordNotificationDays == 15)
        let missing = PlatformSSOSettings.keys.filter {
            $0.description.standard != nil && $0.store(platform) != $0.description.standard
        }
        #expect(missing.isEmpty)
    }

    @Test("Each key of Platform SSO has one place in the declaration, and each place one key")
    func places() {
        let places = DeclarationKeys.pairs.map(\.declaredPath)
        #expect(Set(places).count == places.count)
        let platform = DeclarationKeys.pairs.filter { $0.profilePath.first == "PlatformSSO" }
        #expect(platform.count == PlatformSSOSettings.keys.count)
        #expect(
            DeclarationKeys.declaredPath(of: "PlatformSSO.LoginPolicy")
                == "PlatformSSO.Policies.Login")
        #expect(DeclarationKeys.declaredPath(of: "TeamIdentifier") == "ExtensionComposedIdentifier")
    }

    @Test(
        "Versions",
        arguments: [
            ("15", "15.0"), ("15.4", "15.4"), ("15.4.1", "15.4"), ("10.15", "10.15"), ("", nil),
            ("x", nil), ("15.", nil), ("-1", nil), ("1.2.3.4", nil), ("99999", nil),
            ("1000.1", nil),
        ] as [(String, String?)])
    func versions(text: String, shown: String?) {
        #expect(SystemVersion(text)?.description == shown)
    }
}
