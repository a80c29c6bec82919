// SPDX-License-Identifier: Apache-2.0
import SingleSignOn
import Testing

@Suite struct KeyTextTests {
    private func value(_ text: String) throws(KeyText.ParseError) -> PropertyList {
        try KeyText.entry(text, among: PlatformSSOSettings.descriptions).value
    }

    @Test("Settings are read by their form")
    func values() throws {
        #expect(try value("LoginFrequency=7200") == 7200)
        #expect(try value("UseSharedDeviceKeys=false") == false)
        #expect(try value("AccountDisplayName=a = b") == "a = b")
        #expect(
            try value("LoginPolicy=RequireAuthentication,AllowOfflineGracePeriod")
                == ["RequireAuthentication", "AllowOfflineGracePeriod"])
        #expect(try value("AuthorizationGroups=a=b,c=d") == ["a": "b", "c": "d"])
        #expect(try value("TokenToUserMapping=FullName=name") == ["FullName": "name"])
        #expect(try value("AccessKeyReaderGroupIdentifier=AQI=") == .data([1, 2]))
        #expect(try value("AdministratorGroups=") == [])
    }

    @Test("What an extension is told is text, but for what the agent reads otherwise")
    func extensionData() throws {
        let expected: [(String, PropertyList)] = [
            ("issuer=https://idp.example.com", "https://idp.example.com"), ("colour=4", "4"),
            ("user_key_pin=4", 4), ("key_rotation=90", 90),
            ("key_stores=tpm,file", ["tpm", "file"]),
        ]
        for (text, value) in expected { #expect(try KeyText.extensionEntry(text).value == value) }
        for text in [
            "user_key_pin", "user_key_pin=3", "user_key_pin=four", "user_key_pin=17",
            "key_rotation=0",
            "key_rotation=3651", "=4",
            "key_stores=tpm,cloud",
        ] {
            #expect(throws: KeyText.ParseError.self) { try KeyText.extensionEntry(text) }
        }
    }

    @Test("A key that is set twice is refused, whatever it is set to")
    func repeated() throws {
        let keys = PlatformSSOSettings.descriptions
        let once = ["LoginFrequency=7200", "UseSharedDeviceKeys=true"]
        #expect(
            try KeyText.entries(once, among: keys).map(\.name)
                == ["LoginFrequency", "UseSharedDeviceKeys"])
        for value in ["7200", "9000"] {
            #expect(throws: KeyText.ParseError.repeated("LoginFrequency")) {
                try KeyText.entries(once + ["LoginFrequency=\(value)"], among: keys)
            }
        }
        #expect(throws: KeyText.ParseError.noAssignment("x")) {
            try KeyText.entries(once + ["x"], among: keys)
        }
    }

    @Test(
        "What is no setting is refused, and why",
        arguments: [
            ("LoginFrequency", "KEY=VALUE"), ("=1", "KEY=VALUE"), ("", "KEY=VALUE"),
            ("LoginFrequncy=7200", "did you mean LoginFrequency?"), ("Colour=red", "no key Colour"),
            ("LoginFrequency=60", "an integer from 3600"), ("LoginFrequency=x", "an integer"),
            ("UseSharedDeviceKeys=yes", "true or false"),
            ("AuthenticationMethod=Pin", "one of Password, "),
            ("LoginPolicy=RequireAuthentication,Nothing", "a list between commas"),
            ("AuthorizationGroups=a=b,a=c", "each name once"),
            ("AuthorizationGroups=a", "NAME=VALUE"), ("TokenToUserMapping=Name=x", "NAME=VALUE"),
            ("AccessKeyReaderGroupIdentifier=?", "base64"),
        ])
    func refusals(text: String, part: String) {
        do throws(KeyText.ParseError) {
            let value = try value(text)
            Issue.record("read as \(value)")
        } catch {
            #expect(error.description.contains(part))
        }
    }
}
