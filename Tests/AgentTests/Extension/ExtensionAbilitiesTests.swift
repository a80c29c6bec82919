import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Testing

/// What extensions say that they can do is held against what profiles and configurations ask for.
@Suite struct ExtensionAbilitiesTests {
    private let setting = SignInSetting()
    private let served = ScriptedExtension(
        configuration: PlayedProvider.configuration, hasKeyService: true)

    /// An extension that can do less than a profile with that method wants.
    struct Lack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "Password"
        let abilities: ExtensionDescription
        /// What the reason has to name.
        var name = "supportedGrantTypes"

        init(
            _ text: String, method: String = "Password", name: String = "supportedGrantTypes",
            _ change: (inout ExtensionDescription) -> Void
        ) {
            testDescription = text
            self.method = method
            self.name = name
            var abilities = ExtensionDescription.unlimited
            change(&abilities)
            self.abilities = abilities
        }
    }

    static let lacks = [
        Lack("no grants at all") { $0.grantTypes = [] },
        Lack("no keys for cards", method: "SmartCard") { $0.grantTypes = [.password, .saml2] },
        Lack("no keys", method: "UserSecureEnclaveKey") { $0.grantTypes = .password },
        Lack("no pages", method: "OpenID") { $0.grantTypes = [.password, .jwtBearer] },
        Lack("pages in protocol 1.0", method: "OpenID", name: "protocolVersion") {
            $0.protocolVersion = .version1
        },
        Lack("a key service in protocol 1.0", name: "protocolVersion") {
            $0.protocolVersion = .version1
        },
        Lack("other signatures", name: "supportedDeviceSigningAlgorithms") {
            $0.deviceSigningAlgorithms = ["ed25519"]
        },
        Lack("no signatures", name: "supportedDeviceSigningAlgorithms") {
            $0.deviceSigningAlgorithms = []
        },
        Lack("another encryption", name: "supportedDeviceEncryptionAlgorithms") {
            $0.deviceEncryptionAlgorithms = ["hpke_P256_SHA256_A256GCM"]
        },
        Lack(
            "other keys of people", method: "UserSecureEnclaveKey",
            name: "supportedUserSecureEnclaveKeySigningAlgorithms"
        ) { $0.userKeySigningAlgorithms = ["es384"] },
        Lack("no registration", name: "it does not register devices") {
            $0.handlesRegistration = false
        },
    ]

    private func profile(_ method: String) -> TestProfile {
        var profile = TestProfile(token: "t", method: method)
        profile.webHosts = ["idp.example.com"]
        return profile
    }

    private func phase(_ agent: Agent) async -> DevicePhase? {
        await agent.record.registrations.devices[.everyone]?.phase
    }

    @Test(
        "A profile that asks for more than the extension can do begins nothing, and it is said why",
        arguments: lacks)
    func refused(_ lack: Lack) async throws {
        served.describe(lack.abilities)
        try setting.install(profile(lack.method))
        let agent = try await setting.agent(serving: served)
        try await eventually("it is refused") { await phase(agent) == .refused ? true : nil }
        #expect(served.calls.isEmpty)
        let reason = await agent.status(of: nil).devices.first?.reason
        #expect(reason?.contains(lack.name) == true, "\(reason ?? "none")")
        // A person cannot continue it either.
        await #expect(throws: AgentRefusal("not_before_change", "")) {
            try await agent.registerDevice(by: "anna", repair: false, ScriptedConversation())
        }
        // With another profile it is asked again.
        served.describe(.unlimited)
        var other = profile("Password")
        other.frequency = 10_800
        try setting.install(other)
        await agent.reload()
        _ = try await setting.device(of: agent)
    }

    @Test("What is enough is enough: one grant for each way to sign in")
    func enough() {
        let grants: [(PlatformSSOAuthenticationMethod, ExtensionDescription.GrantTypes)] = [
            (.password, .password), (.password, .jwtBearer), (.password, .saml11),
            (.userSecureEnclaveKey, .jwtBearer), (.smartCard, .jwtBearer),
            (.openID, .tokenExchange),
        ]
        for (method, grant) in grants {
            var abilities = ExtensionDescription.unlimited
            abilities.grantTypes = grant
            #expect(abilities.obstacle(to: method, hasKeyService: true) == nil, "\(method)")
        }
        let usual = ExtensionDescription(handlesRegistration: true, handlesAuthorization: false)
        #expect(usual.obstacle(to: .password, hasKeyService: false) == nil)
        #expect(usual.obstacle(to: .smartCard, hasKeyService: false) == nil)
    }

    @Test("While an extension does not say what it can do nothing begins; it is asked again later")
    func silent() async throws {
        served.describe(nil)
        try setting.install(profile("Password"))
        let agent = try await setting.agent(serving: served)
        try await eventually("it has failed") { () -> Bool? in
            if case .retrying? = await phase(agent) { true } else { nil }
        }
        #expect(served.calls.isEmpty)
        let reason = await agent.status(of: nil).devices.first?.reason
        #expect(reason == "it does not answer")
        served.describe(.unlimited)
        setting.clock.advance(by: .minutes(12))
        await agent.woke()
        _ = try await setting.device(of: agent)
    }

    private func failed(_ agent: Agent, after count: Int) async throws {
        try await eventually("it has failed") { () -> Bool? in
            guard served.calls.count > count, case .retrying? = await phase(agent) else {
                return nil
            }
            return true
        }
    }

    private static func configuration(
        _ change: (inout LoginConfiguration) throws -> Void
    ) rethrows -> LoginConfiguration {
        var configuration = PlayedProvider.configuration
        try change(&configuration)
        return configuration
    }

    @Test("A configuration that needs another grant than the extension has cannot be saved")
    func configurations() async throws {
        let key = try PrivateJWK.generate(for: .es256).publicKey
        let issuer = PlayedProvider.issuer
        let federated = try Self.configuration {
            $0.federationType = .dynamicWSTrust
            $0.federationRequestURN = "urn:x"
            $0.federationUserPreauthenticationURL = issuer + "/who"
            $0.federationPredicate = try ResponsePredicate("federated = TRUE")
        }
        let onPage = Self.configuration {
            $0.fallbackFederationType = .openID
            $0.authorizationURL = issuer + "/authorize"
        }
        let cases: [(LoginConfiguration, ExtensionDescription.GrantTypes)] = [
            (PlayedProvider.configuration, .jwtBearer),
            (Self.configuration { $0.loginRequestEncryptionPublicKey = key }, .password),
            (federated, [.password, .jwtBearer]), (onPage, [.password, .jwtBearer]),
        ]
        try setting.install(profile("Password"))
        served.answer(device: [.failed])
        let agent = try await setting.agent(serving: served)
        try await failed(agent, after: 0)
        for (configuration, grants) in cases {
            var abilities = ExtensionDescription.unlimited
            abilities.grantTypes = grants
            served.describe(abilities)
            served.answer(device: [.failed])
            served.next { manager in
                await #expect(throws: PlatformSSORefusal(.grantUnsupported, "")) {
                    try await manager.saveLoginConfiguration(configuration)
                }
            }
            setting.clock.advance(by: .minutes(12))
            let before = served.calls.count
            await agent.woke()
            try await failed(agent, after: before)
            let reason = await agent.status(of: nil).devices.first?.reason
            #expect(reason?.contains("supportedGrantTypes") == true, "\(reason ?? "none")")
        }
    }
}
