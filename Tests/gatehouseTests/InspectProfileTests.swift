// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives
import SingleSignOn
import Testing

@testable import gatehouse

@Suite("inspect profile, platform-sso profile")
struct InspectProfileTests {
    private static let arguments = [
        "--issuer", "https://idp.example.com", "--team", "ABCDE12345", "--extension",
        "com.example.app.sso",
    ]

    private func code(_ input: JSONValue) -> String? {
        InspectProfile.verdict(for: input, ProfileInspection.Context())["code"]?.string
    }

    @Test(
        "What is no profile on a line is bad input",
        arguments: [
            [:], ["profile": 1], ["profile": "???"], ["profile": ""],
            ["profile": "<plist/>", "channel": "both"], ["profile": "<plist/>", "system": "x"],
            ["profile": "<plist/>", "system": 15],
        ] as [JSONValue])
    func badInput(input: JSONValue) {
        let code = code(input)
        #expect(code == Verdict.badInputCode || code == "plist_unknown_format")
    }

    @Test("Text and base64url are the same profile")
    func spellings() {
        let text = "<plist><dict><key>a</key><true/></dict></plist>"
        #expect(code(["profile": .string(text)]) == "not_a_profile")
        #expect(code(["profile": .string(Base64URL.encode(Array(text.utf8)))]) == "not_a_profile")
    }

    @Test("An unreadable profile is bad input, a wrong one is refused")
    func exitCodes() {
        let unreadable = ProfileInspection.verdict(on: Array("<plist>".utf8))
        #expect(InspectCommand.Options.exitCode(of: unreadable) == 2)
        let wrong = ProfileInspection.verdict(on: Array("<plist><dict/></plist>".utf8))
        #expect(InspectCommand.Options.exitCode(of: wrong) == 1)
    }

    @Test("The options of platform-sso profile are read")
    func options() throws {
        let command = try ProfileCommand.parse(
            Self.arguments + ["--method", "smart-card", "--set", "LoginFrequency=7200"])
        #expect(command.method == .smartCard && command.format == .mobileconfig)
        #expect(command.set == ["LoginFrequency=7200"])
    }

    private func made(_ more: String...) throws -> [UInt8] {
        try ProfileCommand.parse(Self.arguments + more).content()
    }

    @Test("Keys outside of PlatformSSO have options of their own")
    func payloadKeys() throws {
        let bytes = try made(
            "--url", "https://login.example.com/", "--screen-locked", "do-not-handle",
            "--macos-13", "--deny-app", "com.example.other")
        let configuration = try #require(try ProfileInspection(bytes).singleSignOn.first)
        #expect(
            configuration.urls == ["https://idp.example.com/", "https://login.example.com/"])
        #expect(configuration.screenLockedBehavior == .doNotHandle)
        #expect(configuration.formerAuthenticationMethod == .password)
        #expect(configuration.deniedBundleIdentifiers == ["com.example.other"])
        let bare = try #require(try ProfileInspection(try made()).singleSignOn.first)
        #expect(bare.urls == ["https://idp.example.com/"])
        #expect(bare.screenLockedBehavior == nil && bare.formerAuthenticationMethod == nil)
    }

    @Test(
        "A setting that is said twice is refused, and not dropped",
        arguments: [
            ["--set", "LoginFrequency=7200", "--set", "LoginFrequency=9000"],
            ["--set", "LoginFrequency=7200", "--login-frequency", "9000"],
            ["--set", "AuthenticationMethod=SmartCard", "--method", "openid"],
            ["--set", "UseSharedDeviceKeys=true", "--user-keys"],
            ["--url", "https://idp.example.com/"], ["--url", "ftp://idp.example.com/"],
        ])
    func repeated(arguments: [String]) throws {
        let command = try ProfileCommand.parse(Self.arguments + arguments)
        #expect(throws: CommandError.self) { try command.content() }
    }

    @Test(
        "Options that make no profile are refused",
        arguments: [
            ["--method", "pin"], ["--format", "xml"], ["--login-frequency", "often"], ["--colour"],
            ["--sign-key", "key.pem"], ["--sign-certificate", "chain.pem"],
            [
                "--sign-key", "key.pem", "--sign-certificate", "chain.pem", "--format",
                "declaration",
            ],
        ])
    func refusals(arguments: [String]) {
        #expect(throws: (any Error).self) {
            try ProfileCommand.parse(Self.arguments + arguments)
        }
    }
}
