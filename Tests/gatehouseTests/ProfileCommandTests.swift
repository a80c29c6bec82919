// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import SingleSignOn
import Testing

@testable import gatehouse

/// `gatehouse platform-sso profile`
@Suite struct ProfileCommandTests {
    private func command(_ arguments: String...) throws -> ProfileCommand {
        try ProfileCommand.parse(
            [
                "--issuer", "https://idp.example.com", "--team", "ABCDE12345", "--extension",
                "com.example.sso",
            ] + arguments)
    }

    @Test(
        "What installs, and does not do what was meant, is warned of in the words of inspect profile"
    )
    func warnings() throws {
        let good = try command(
            "--set", "LoginPolicy=RequireAuthentication,AllowOfflineGracePeriod",
            "--set", "OfflineGracePeriod=604800")
        #expect(good.warnings(of: try good.content()) == [])
        for days in [
            try command("--set", "OfflineGracePeriod=604800"),
            try command(
                "--set", "LoginPolicy=RequireAuthentication,AllowOfflineGracePeriod",
                "--set", "OfflineGracePeriod=7"),
        ] {
            let warnings = days.warnings(of: try days.content())
            #expect(warnings.count == 1)
            #expect(
                warnings.first?.hasPrefix("PayloadContent[0].PlatformSSO.OfflineGracePeriod: ")
                    == true)
        }
    }

    @Test("A value of a specific option is not set twice, and the refusal names the option")
    func twice() throws {
        let cases: [([String], String)] = [
            (["--user-keys", "--set", "UseSharedDeviceKeys=true"], "--user-keys"),
            (["--user-channel", "--set", "UseSharedDeviceKeys=true"], "--user-channel"),
            (["--method", "password", "--set", "AuthenticationMethod=SmartCard"], "--method"),
            (["--login-frequency", "7200", "--set", "LoginFrequency=9000"], "--login-frequency"),
        ]
        for (arguments, option) in cases {
            let command = try ProfileCommand.parse(
                ["--issuer", "https://a.example", "--team", "ABCDE12345", "--extension", "a.b"]
                    + arguments)
            let refusal = #expect(throws: CommandError.self) { try command.content() }
            #expect(refusal?.code == .badInput)
            #expect(refusal?.description.contains("and \(option) set the same value") == true)
        }
    }

    @Test("A PIN or an age of keys that the agent would cut to its own bounds is refused")
    func bounds() throws {
        for text in ["user_key_pin=3", "user_key_pin=17", "key_rotation=0", "key_rotation=3651"] {
            let command = try command("--extension-data", text)
            let refusal = #expect(throws: CommandError.self) { try command.content() }
            #expect(refusal?.description.contains("an integer from") == true)
        }
        for text in ["user_key_pin=16", "key_rotation=3650"] {
            #expect(throws: Never.self) { try command("--extension-data", text).content() }
        }
    }
}
