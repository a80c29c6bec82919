// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn
import Support
import Testing

@testable import Agent

@Suite struct ProfileStateTests {
    private let now = TestRecord.start
    private var state = ProfileState()

    private func abilities(
        _ extensions: any ExtensionSource = ScriptedExtension()
    ) -> ProfileState.Abilities { .init(extensions: extensions, keyStore: .file) }

    private func installed(_ profiles: TestProfile..., broken: Bool = false) -> InstalledProfiles {
        var installed = InstalledProfiles()
        let texts = profiles.map(\.text) + (broken ? ["{"] : [])
        for (index, text) in texts.enumerated() {
            installed.add(
                .init(bytes: Array(text.utf8), installedAt: now, isReadable: false),
                name: "\(index).mobileconfig", of: nil, now: now)
        }
        return installed
    }

    private mutating func read(
        _ installed: InstalledProfiles, _ abilities: ProfileState.Abilities? = nil
    ) -> RegistrationEvent {
        let reading = state.startReading()
        return state.finish(reading, installed, abilities ?? self.abilities(), before: nil)
    }

    @Test("A profile becomes a plan")
    mutating func plan() throws {
        guard case .planned(let plan?) = read(installed(TestProfile(token: "t"))) else {
            Issue.record("no plan")
            return
        }
        #expect(plan.hasToken)
        #expect(state.configuration?.extensionIdentifier == "com.example.sso")
        #expect(state.installed.problems.isEmpty)
    }

    @Test("Of two concurrent readings the one that started later counts")
    mutating func concurrent() {
        let (first, second) = (state.startReading(), state.startReading())
        let event = state.finish(second, installed(TestProfile()), abilities(), before: nil)
        #expect(event != .woke)
        #expect(state.finish(first, installed(), abilities(), before: nil) == .woke)
        #expect(state.configuration != nil)
    }

    @Test("A removed profile ends its configuration, and its extension is still known")
    mutating func removed() {
        _ = read(installed(TestProfile()))
        #expect(read(installed()) == .planned(nil))
        #expect(state.configuration == nil)
        #expect(state.removed?.extensionIdentifier == "com.example.sso")
    }

    @Test("A profile that cannot be read was not removed")
    mutating func broken() {
        _ = read(installed(TestProfile()))
        #expect(read(installed(broken: true)) == .woke)
        #expect(state.configuration != nil)
        #expect(state.installed.problems.count == 1)
    }

    @Test("A configuration that the device cannot follow is a problem, and changes nothing")
    mutating func problem() {
        _ = read(installed(TestProfile()))
        var profile = TestProfile()
        profile.keyStores = ["tpm"]
        #expect(read(installed(profile)) == .woke)
        #expect(state.installed.problems.map(\.reason).contains { $0.contains("keys in tpm") })
        #expect(state.configuration?.keyStores == nil)
        #expect(read(installed(TestProfile()), abilities(NoExtensions())) == .woke)
        #expect(
            state.installed.problems.map(\.reason).contains { $0.contains("no such extension") })
    }
}

private struct NoExtensions: ExtensionSource {
    func find(_ configuration: SSOConfiguration) -> InstalledExtension? { nil }
}
