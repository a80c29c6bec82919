import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Synchronization
import Testing

/// Settings of an extension's configuration that this agent does not follow are not taken.
@Suite struct AgentConfigurationTests {
    private let setting = SignInSetting()

    enum Setting: String, Sendable, CaseIterable {
        case fallbackFederationType, federationMEXURL, federationRequestURN, federationPredicate
        case federationUserPreauthenticationURL, authorizationURL, authorizationURLKeypath
        case loginRequestEncryptionAlgorithm, hpkePreSharedKey, hpkeAuthPublicKey
        case jwksTrustedRootCertificates

        func change(_ configuration: inout LoginConfiguration) {
            switch self {
            case .fallbackFederationType: configuration.fallbackFederationType = .wsTrust
            case .federationMEXURL:
                configuration.federationType = .wsTrust
                configuration.federationRequestURN = "urn:realm"
                configuration.federationMEXURL = "http://sts.example.com/mex"
            case .federationRequestURN: configuration.askTokenService()
            case .federationPredicate:
                configuration.federationType = .dynamicWSTrust
                configuration.federationUserPreauthenticationURL = "https://idp.example.com/who"
            case .federationUserPreauthenticationURL:
                configuration.federationType = .dynamicOpenID
                configuration.federationUserPreauthenticationURL = "http://idp.example.com/who"
            case .authorizationURL: configuration.federationType = .openID
            case .authorizationURLKeypath:
                configuration.federationType = .dynamicOpenID
                configuration.federationUserPreauthenticationURL = "https://idp.example.com/who"
            case .loginRequestEncryptionAlgorithm:
                configuration.loginRequestEncryptionAlgorithm = .hpkeP256SHA256AESGCM256
            case .hpkePreSharedKey: configuration.hpkePreSharedKey = Secret("shared")
            case .hpkeAuthPublicKey:
                configuration.hpkeAuthPublicKey = try? PrivateJWK.generate(for: .es256).publicKey
            case .jwksTrustedRootCertificates:
                configuration.jwksTrustedRootCertificates = [[0x30, 0x01]]
            }
        }
    }

    /// What saving the configuration comes to, and whether the device has it afterwards.
    private func refusal(
        _ change: @escaping @Sendable (inout LoginConfiguration) -> Void
    ) async throws -> PlatformSSORefusal? {
        let served = ScriptedExtension()
        let found = Mutex<PlatformSSORefusal?>(nil)
        served.next { manager in
            var configuration = ScriptedExtension.configuration
            configuration.audience = "changed"
            change(&configuration)
            do { try await manager.saveLoginConfiguration(configuration) } catch {
                found.withLock { $0 = error as? PlatformSSORefusal }
                throw error
            }
        }
        try setting.install(TestProfile(token: "t"))
        let agent = try await setting.agent(serving: served)
        return try await eventually("the extension has answered") {
            let phase = await agent.record.registrations.devices[.everyone]?.phase
            if case .registering? = phase { return nil }
            let refusal = found.withLock { $0 }
            let isSaved = await agent.record.devices[.everyone]?.configuration != nil
            #expect(isSaved == (refusal == nil))
            return .some(refusal)
        }
    }

    @Test("A configuration that is saved before the keys are asked for is not forgotten")
    func beforeKeys() async throws {
        let served = ScriptedExtension()
        served.next { manager in
            var configuration = ScriptedExtension.configuration
            configuration.accountDisplayName = "before"
            try await manager.saveLoginConfiguration(configuration)
            #expect(await manager.loginConfiguration?.accountDisplayName == "before")
            let keys = try await manager.deviceKeys()
            #expect(try await manager.deviceKeys() == keys)
            #expect(await manager.loginConfiguration?.accountDisplayName == "before")
        }
        try setting.install(TestProfile(token: "t"))
        _ = try await setting.device(of: try await setting.agent(serving: served))
    }

    /// An extension that reports every registration as a success, and saves nothing.
    private struct Careless: RegistrationExtension, ExtensionSource {
        func find(_ configuration: SSOConfiguration) -> InstalledExtension? {
            InstalledExtension(self, revision: "1", hasKeyService: false)
        }
        func beginDeviceRegistration(
            _ manager: any ExtensionLoginManager, options: ExtensionRequestOptions
        ) async -> ExtensionRegistrationResult {
            _ = try? await manager.deviceKeys()
            return .success
        }
        func beginUserRegistration(
            _ manager: any ExtensionLoginManager, userName: String?,
            method: PlatformSSOAuthenticationMethod,
            options: ExtensionRequestOptions
        ) async -> ExtensionRegistrationResult { .success }
        func keyWillRotate(
            _ rotation: KeyRotation, _ manager: any ExtensionLoginManager
        ) async -> Bool { false }
        func registrationDidComplete() async {}
        func registrationDidCancel() async {}
        func configurationRemoved() async {}
    }

    @Test("A success without a configuration is none, and the status says why")
    func noConfiguration() async throws {
        try setting.install(TestProfile(token: "t"))
        let agent = try await setting.agent(serving: Careless())
        try await eventually("it has failed") {
            if case .retrying? = await agent.record.registrations.devices[.everyone]?.phase {
                true
            } else {
                nil
            }
        }
        let reason = await agent.status(of: nil).devices.first?.reason
        #expect(reason == "its extension saved no configuration")
    }

    @Test("What is not followed is refused by its name", arguments: Setting.allCases)
    func refused(setting: Setting) async throws {
        let refusal = try #require(try await refusal { setting.change(&$0) })
        #expect(refusal.reason.hasPrefix("\(setting.rawValue):"))
    }

    enum Followed: CaseIterable {
        case roots, scopes, previousToken, page, foundPage, service, foundService, otherwisePage

        func change(_ configuration: inout LoginConfiguration) {
            configuration.federationUserPreauthenticationURL = "https://idp.example.com/who"
            configuration.federationRequestURN = "urn:realm"
            switch self {
            case .roots: configuration.jwksTrustedRootCertificates = [PlayedProvider.certificate]
            case .scopes: configuration.includePlatformSSOAuthorizationScopes = true
            case .previousToken: configuration.includePreviousRefreshTokenInLoginRequest = true
            case .page:
                configuration.federationType = .openID
                configuration.authorizationURL = "https://idp.example.com/authorize"
            case .foundPage:
                configuration.federationType = .dynamicOpenID
                configuration.authorizationURLKeypath = "url"
            case .service: configuration.askTokenService()
            case .foundService:
                configuration.federationType = .dynamicWSTrust
                configuration.federationPredicate = try? ResponsePredicate("federated = TRUE")
            case .otherwisePage:
                configuration.fallbackFederationType = .openID
                configuration.authorizationURL = "https://idp.example.com/authorize"
            }
        }
    }

    @Test("What is followed is saved", arguments: Followed.allCases)
    func saved(_ followed: Followed) async throws {
        #expect(try await refusal { followed.change(&$0) } == nil)
    }
}

extension LoginConfiguration {
    fileprivate mutating func askTokenService() {
        federationType = .wsTrust
        federationMEXURL = "https://sts.example.com/mex"
    }
}
