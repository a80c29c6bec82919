// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation
import PlatformSSO
import SingleSignOn
import Synchronization
import Testing

/// Names of Apple's login manager and registration handler that other tests do not touch.
@MainActor @Suite struct RegistrationNamesTests {
    /// Says more of itself than an extension has to.
    private final class Particular: NSObject, ASAuthorizationProviderExtensionRegistrationHandler {
        func protocolVersion() -> ASAuthorizationProviderExtensionPlatformSSOProtocolVersion {
            .version2_0
        }

        func supportedGrantTypes() -> ASAuthorizationProviderExtensionSupportedGrantTypes {
            [.saml1_1, .saml2_0, .tokenExchange]
        }

        var supportedDeviceSigningAlgorithms: [ASAuthorizationProviderExtensionSigningAlgorithm] {
            [.ed25519, .es384, .es256]
        }

        var supportedDeviceEncryptionAlgorithms:
            [ASAuthorizationProviderExtensionEncryptionAlgorithm]
        {
            [
                .hpke_P384_SHA384_AES_GCM_256, .hpke_Curve25519_SHA256_ChachaPoly,
                .ecdhe_A256GCM,
            ]
        }

        var supportedUserSecureEnclaveKeySigningAlgorithms:
            [ASAuthorizationProviderExtensionSigningAlgorithm]
        { [.es384] }
    }

    private let principal = PlayedExtension()

    private func user(_ state: ExtensionLoginState = ExtensionLoginState()) -> ExtensionHostRequest
    {
        .registerUser(state, userName: "anna", .userSecureEnclaveKey, [])
    }

    @Test("Each repair and each reset reaches the agent under its own name, in order")
    func needs() async throws {
        principal.user = { manager, _, completion in
            manager.deviceRegistrationsNeedsRepair()
            manager.userRegistrationsNeedsRepair()
            manager.decryptionKeysNeedRepair()
            manager.resetKeys()
            manager.resetDeviceKeys()
            manager.resetUserSecureEnclaveKey()
            completion(.success)
        }
        let agent = PlayedAgentEnd(principal)
        #expect(await agent.ask(user()) == .registration(.success))
        #expect(
            agent.calls.map(\.kind) == [
                .deviceRegistrationNeedsRepair, .userRegistrationNeedsRepair,
                .decryptionKeysNeedRepair, .resetKeys, .resetDeviceKeys,
                .resetUserSecureEnclaveKey,
            ])
        _ = try await agent.stop()
    }

    @Test("What is registered, and how people sign in, is what the agent says")
    func state() async throws {
        let seen = Mutex<[String]>([])
        principal.user = { manager, _, completion in
            seen.withLock {
                $0 = [
                    "\(manager.isDeviceRegistered)", "\(manager.isUserRegistered)",
                    "\(manager.authenticationMethod.rawValue)",
                ]
            }
            completion(.success)
        }
        let agent = PlayedAgentEnd(principal)
        var state = ExtensionLoginState()
        #expect(await agent.ask(user(state)) == .registration(.success))
        #expect(seen.withLock { $0.prefix(2) } == ["false", "false"])
        state.isDeviceRegistered = true
        state.isUserRegistered = true
        state.authenticationMethod = .smartCard
        #expect(await agent.ask(user(state), number: 2) == .registration(.success))
        #expect(seen.withLock { $0 } == ["true", "true", "3"])
        _ = try await agent.stop()
    }

    @Test("What an extension says that it supports reaches the agent whole, best first")
    func supported() async throws {
        let agent = PlayedAgentEnd(Particular())
        let description = try await agent.description
        #expect(description.protocolVersion == .version2)
        #expect(description.grantTypes == [.saml11, .saml2, .tokenExchange])
        #expect(description.deviceSigningAlgorithms == ["ed25519", "es384", "es256"])
        #expect(
            description.deviceEncryptionAlgorithms
                == [
                    EncryptionAlgorithm.hpkeP384SHA384AESGCM256, .hpkeCurve25519SHA256ChaChaPoly,
                    .ecdheA256GCM,
                ].map(\.rawValue))
        #expect(description.deviceEncryptionAlgorithms.last == "ecdhe_A256GCM")
        #expect(description.userKeySigningAlgorithms == ["es384"])
        _ = try await agent.stop()
    }

    @Test("Operations of requests have the names that the agent sends")
    func operations() {
        typealias Operation = ASAuthorizationProviderAuthorizationOperation
        #expect(Operation.configurationRemoved.rawValue == "configurationRemoved")
        #expect(Operation.directRequest.rawValue == "directRequest")
    }
}
