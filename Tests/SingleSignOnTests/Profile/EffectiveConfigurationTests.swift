// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn
import Testing

@Suite struct EffectiveConfigurationTests {
    private func configuration(
        _ changes: Sample.Changes = []
    ) -> SSOConfiguration {
        SSOConfiguration(entries: Sample.platform([], changes).entries ?? [])
    }

    private func installed(
        _ configuration: SSOConfiguration, _ channel: ProfileChannel, _ source: String
    ) -> InstalledConfiguration {
        InstalledConfiguration(configuration, channel: channel, source: source)
    }

    @Test("The device channel wins; the user channel adds a token and data of other names")
    func merge() throws {
        let device = configuration([("ExtensionData", ["a": 1, "b": 2])])
        let user = configuration([
            ("ExtensionData", ["b": 9, "c": 3]), ("RegistrationToken", "user"),
            ("URLs", ["https://user.example/"]),
        ])
        let effective = EffectiveConfiguration([
            installed(user, .user, "a.user"), installed(device, .device, "b.device"),
        ])
        let only = try #require(effective.configurations.first)
        #expect(effective.configurations.count == 1)
        #expect(only.urls == ["https://idp.example.com/auth/"])
        #expect(only.registrationToken == Secret("user"))
        #expect(
            only.extensionData.map { .dictionary($0) } == ["a": 1, "b": 2, "c": 3] as PropertyList)
        #expect(effective.setAside.map(\.reason) == [.deviceChannelWins])
        #expect(effective.setAside.first?.source == "a.user")
    }

    @Test("The token of the device channel stays")
    func tokens() {
        let effective = EffectiveConfiguration([
            installed(configuration([("RegistrationToken", "user")]), .user, "u"),
            installed(configuration([("RegistrationToken", "device")]), .device, "d"),
        ])
        #expect(effective.platformSSO?.registrationToken == Secret("device"))
    }

    @Test("A user's payload for another extension holds by itself, without shared keys")
    func userAlone() {
        let user = configuration([("ExtensionIdentifier", "com.other")])
        let effective = EffectiveConfiguration([installed(user, .user, "u")])
        #expect(effective.configurations.first?.platformSSO?.useSharedDeviceKeys == false)
        #expect(effective.setAside.map(\.reason) == [.sharedKeysOnUserChannel])
    }

    @Test("An address belongs to the first profile by name, whatever the order of installation")
    func addresses() {
        let first = configuration([("PlatformSSO", nil)])
        let second = configuration([
            ("ExtensionIdentifier", "com.other"), ("PlatformSSO", nil),
            ("URLs", ["https://IDP.example.com/auth/", "https://b.example/"]),
        ])
        for order in [[0, 1], [1, 0]] {
            let all = [installed(first, .device, "a"), installed(second, .device, "b")]
            let effective = EffectiveConfiguration(order.map { all[$0] })
            #expect(
                effective.configurations.map(\.urls) == [
                    ["https://idp.example.com/auth/"], ["https://b.example/"],
                ])
            #expect(effective.setAside.map(\.source) == ["b"])
            #expect(effective.setAside.map(\.reason) == [.addressTaken])
            #expect(effective.setAside.map(\.subject) == ["https://IDP.example.com/auth/"])
            #expect(
                effective.matcher.redirect(for: "https://idp.example.com/auth/x")?
                    .extensionIdentifier == "com.example.app.sso")
        }
    }

    @Test("Hosts likewise")
    func hosts() {
        func kdc(_ name: String) -> SSOConfiguration {
            SSOConfiguration(
                entries: Sample.credential([("ExtensionIdentifier", .string(name))]).entries ?? [])
        }
        let effective = EffectiveConfiguration([
            installed(kdc("com.a"), .device, "a"), installed(kdc("com.b"), .device, "b"),
        ])
        #expect(effective.configurations.map(\.hosts) == [[".example.com"], []])
        #expect(effective.setAside.map(\.subject) == [".example.com"])
    }

    @Test("Platform SSO is configured once")
    func once() {
        let second = configuration([
            ("ExtensionIdentifier", "com.other"), ("URLs", ["https://b.example/"]),
        ])
        let effective = EffectiveConfiguration([
            installed(configuration(), .device, "a"), installed(second, .device, "b"),
        ])
        #expect(effective.platformSSO?.extensionIdentifier == "com.example.app.sso")
        #expect(effective.configurations.map(\.isPlatformSSO) == [true, false])
        #expect(effective.setAside.map(\.reason) == [.platformSSOTaken])
    }

    @Test("Nothing installed, nothing holds")
    func nothing() {
        let effective = EffectiveConfiguration([])
        #expect(effective.configurations.isEmpty && effective.setAside.isEmpty)
        #expect(effective.matcher.redirect(for: "https://a.example/") == nil)
    }
}
