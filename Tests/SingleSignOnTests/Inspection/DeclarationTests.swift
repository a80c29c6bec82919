// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import SingleSignOn
import Testing

@Suite struct DeclarationTests {
    private func declaration(
        _ payload: String, type: String = "com.apple.configuration.extensible-sso"
    ) -> [UInt8] {
        Array(
            """
            {
              "Type": "\(type)",
              "Identifier": "2A3B4C5D-6E7F-8A9B-0C1D-2E3F4A5B6C7D",
              "ServerToken": "F1E2D3C4-B5A6-7890-ABCD-EF1234567890",
              "Payload": {
                "ExtensionComposedIdentifier": "com.example.sso.extension (ABCDE12345)",
                "Type": "Redirect", "URLs": ["https://login.example.com/auth"]\(payload)
              }
            }
            """.utf8)
    }

    @Test("Apple's example is read; only the team that macOS needs is missing")
    func example() throws {
        let text = """
            {"Type": "com.apple.configuration.extensible-sso", "Identifier": "a", "ServerToken": "b",
             "Payload": {"ExtensionComposedIdentifier": "com.example.sso.extension",
             "Type": "Redirect", "URLs": ["https://login.example.com/auth",
             "https://sso.example.com/"], "ScreenLockedBehavior": "Cancel"}}
            """
        let inspection = try ProfileInspection(Array(text.utf8))
        #expect(inspection.findings.map(\.code) == [.missingKey])
        #expect(inspection.singleSignOn.first?.urls?.count == 2)
    }

    @Test("Settings are found where the declaration has them")
    func settings() throws {
        let inspection = try ProfileInspection(
            declaration(
                """
                , "PlatformSSO": {
                  "AuthenticationMethod": "Password", "RegistrationToken": "t",
                  "UseSharedDeviceKeys": true, "Account": {"DisplayName": "Example"},
                  "UserCreation": {"EnableAtLogin": true, "TokenToUserMapping": {"FullName": "n"}},
                  "Authorization": {"AdministratorGroups": ["admins"]},
                  "AccessKey": {"ReaderGroupIdentifier": "AQID", "AllowExpressMode": true,
                    "TerminalIdentityAssetReference": "a",
                    "ReaderIssuerCertificateAssetReference": "b"},
                  "Policies": {"Login": ["AttemptAuthentication"], "OfflineGracePeriod": 259200}
                }
                """))
        let configuration = try #require(inspection.singleSignOn.first)
        #expect(configuration.extensionIdentifier == "com.example.sso.extension")
        #expect(configuration.teamIdentifier == "ABCDE12345")
        #expect(configuration.registrationToken?.revealText() == "t")
        let settings = try #require(configuration.platformSSO)
        #expect(settings.accountDisplayName == "Example")
        #expect(settings.enableCreateUserAtLogin == true)
        #expect(settings.tokenToUserMapping?.fullName == "n")
        #expect(settings.administratorGroups == ["admins"])
        #expect(settings.accessKeyReaderGroupIdentifier == [1, 2, 3])
        #expect(settings.loginPolicy == [.attemptAuthentication])
        #expect(inspection.findings.allSatisfy { $0.severity < .error })
        #expect(inspection.needs?.system == 27.0)
    }

    private func headers(_ headers: String) throws -> ProfileInspection {
        try ProfileInspection(
            declaration(
                ", \"PlatformSSO\": {\"AuthenticationMethod\": \"Password\", "
                    + "\"AdditionalHTTPHeaders\": {\(headers)}}"))
    }

    @Test("Headers for the provider's proxy are read, and need macOS 27.2")
    func additionalHeaders() throws {
        let inspection = try headers(#" "X-Proxy": "let me in", "X-Site": "b" "#)
        #expect(inspection.findings == [])
        #expect(
            inspection.singleSignOn.first?.platformSSO?.additionalHTTPHeaders
                == ["X-Proxy": "let me in", "X-Site": "b"])
        #expect(inspection.needs?.system == SystemVersion(27, 2))
    }

    @Test(
        "Headers that no device could send are refused",
        arguments: [
            #" "X Proxy": "a" "#, #" "": "a" "#, #" "X-Proxy:": "a" "#, #" "X-Pröxy": "a" "#,
            #" "X-Proxy": "a\r\nX-Other: b" "#, #" "X-Proxy": "ä" "#, #" "Host": "a" "#,
            #" "content-length": "1" "#, #" "Transfer-Encoding": "chunked" "#,
            "\"\(String(repeating: "x", count: 129))\": \"a\"",
            "\"X-Proxy\": \"\(String(repeating: "x", count: 2049))\"",
            (0..<21).map { "\"X-\($0)\": \"a\"" }.joined(separator: ","),
        ])
    func wrongHeaders(text: String) throws {
        let findings = try headers(text).findings
        #expect(findings.map(\.code) == [.outOfRange])
        #expect(findings.map(\.path) == ["Payload.PlatformSSO.AdditionalHTTPHeaders"])
    }

    @Test("A header is text")
    func untypedHeader() throws {
        let findings = try headers(#" "X-Proxy": 1 "#).findings
        #expect(findings.map(\.code) == [.wrongType])
    }

    @Test(
        "Faults are named with the declaration's own paths",
        arguments: [
            (
                ", \"PlatformSSO\": {\"AuthenticationMethod\": \"Password\", \"Policies\": {\"Login\": [\"AllowOfflineGracePeriod\"]}}",
                ProfileIssue.Code.needsGracePeriod, "Payload.PlatformSSO.Policies.Login"
            ),
            (
                ", \"PlatformSSO\": {\"AuthenticationMethod\": \"Password\", \"UserCreation\": {\"EnableAtLogin\": true}}",
                .needsSharedKeys, "Payload.PlatformSSO.UserCreation.EnableAtLogin"
            ),
            (
                ", \"PlatformSSO\": {\"AccountDisplayName\": \"x\"}", .misplacedKey,
                "Payload.PlatformSSO.AccountDisplayName"
            ),
            (", \"RegistrationToken\": \"x\"", .misplacedKey, "Payload.RegistrationToken"),
            (", \"ExtensionIdentifier\": \"com.a\"", .misplacedKey, "Payload.ExtensionIdentifier"),
            (", \"PlatformSSO\": {\"Policys\": {}}", .misspeltKey, "Payload.PlatformSSO.Policys"),
            (
                ", \"PlatformSSO\": {\"LoginFrequency\": 1}", .outOfRange,
                "Payload.PlatformSSO.LoginFrequency"
            ),
            (
                ", \"PlatformSSO\": {\"Policies\": {\"Login\": \"x\"}}", .wrongType,
                "Payload.PlatformSSO.Policies.Login"
            ),
            (
                ", \"PlatformSSO\": {\"AccessKey\": {\"ReaderGroupIdentifier\": \"?\"}}",
                .wrongType, "Payload.PlatformSSO.AccessKey.ReaderGroupIdentifier"
            ),
            (", \"Hosts\": [\"a.example\"]", .ignoredKey, "Payload.Hosts"),
        ])
    func faults(payload: String, code: ProfileIssue.Code, path: String) throws {
        let inspection = try ProfileInspection(declaration(payload))
        let found = inspection.findings.map { "\($0.code.rawValue) \($0.path)" }
        #expect(found.contains("\(code.rawValue) \(path)"), "\(found)")
    }

    @Test("A finding points at the line of the declaration")
    func places() throws {
        let inspection = try ProfileInspection(
            declaration(",\n \"PlatformSSO\": {\"UserCreation\": {\n  \"EnableAtLogin\": true}}"))
        let finding = try #require(inspection.findings.first { $0.code == .needsSharedKeys })
        #expect("\(inspection.document.place(at: finding.offset))" == "9:3")
    }

    @Test("Another type, and a name without form, are refused")
    func heads() throws {
        let other = try ProfileInspection(declaration("", type: "com.apple.configuration.legacy"))
        #expect(other.findings.map(\.code) == [.wrongDeclarationType])
        let text =
            "{\"ExtensionComposedIdentifier\":\"com.a(TEAM)\",\"Type\":\"Redirect\",\"URLs\":[\"https://a.example\"]}"
        let bare = try ProfileInspection(Array(text.utf8))
        #expect(bare.findings.map(\.code) == [.malformedComposedIdentifier])
        let missing = try ProfileInspection(Array("{\"Payload\":{\"Type\":\"Redirect\"}}".utf8))
        #expect(Set(missing.findings.map(\.code)) == [.missingKey, .missingAddresses])
        let nothing = try ProfileInspection(Array("{\"Payload\":3}".utf8))
        #expect(nothing.worst == .error)
    }

    @Test("Shared keys are for the system scope")
    func scope() throws {
        let inspection = try ProfileInspection(
            declaration(
                ", \"PlatformSSO\": {\"AuthenticationMethod\": \"Password\", \"UseSharedDeviceKeys\": true}"
            ),
            context: ProfileInspection.Context(channel: .user))
        #expect(inspection.findings.map(\.code) == [.deviceChannelOnly])
    }

    @Test(
        "Names of extensions with their team",
        arguments: [
            ("com.example.a (ABCDE12345)", true), ("com.example.a", true),
            ("com.example.a ()", false),
            ("com.example.a (A) x", false), ("com.example.a  (A)", false), ("(A)", false),
            ("com.example.a (A", false), ("", false), ("com..a (A)", false),
        ])
    func composed(text: String, isGood: Bool) {
        let identifier = ComposedIdentifier(text)
        #expect((identifier != nil) == isGood)
        if let identifier { #expect(identifier.description == text) }
    }
}
