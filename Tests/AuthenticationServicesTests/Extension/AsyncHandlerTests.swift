// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Crypto
import Foundation
import JOSE
import PlatformSSO
import SingleSignOn
import Testing

/// Extensions that are written with the `async` forms of Apple's methods.
@MainActor @Suite struct AsyncHandlerTests {
    /// Both forms of none of its methods.
    private final class Forms: NSObject, ASAuthorizationProviderExtensionRegistrationHandler {
        func beginDeviceRegistration(
            loginManager: ASAuthorizationProviderExtensionLoginManager,
            options: ASAuthorizationProviderExtensionRequestOptions
        ) async -> ASAuthorizationProviderExtensionRegistrationResult {
            do {
                try await loginManager.presentRegistrationViewController()
                return .success
            } catch {
                return .userInterfaceRequired
            }
        }

        func beginUserRegistration(
            loginManager: ASAuthorizationProviderExtensionLoginManager, userName: String?,
            method: ASAuthorizationProviderExtensionAuthenticationMethod,
            options: ASAuthorizationProviderExtensionRequestOptions
        ) async -> ASAuthorizationProviderExtensionRegistrationResult {
            do {
                try await loginManager.userNeedsReauthentication()
                return userName == "anna" && method == .password ? .success : .failed
            } catch {
                return .failedNoRetry
            }
        }

        func keyWillRotate(
            for keyType: ASAuthorizationProviderExtensionKeyType, newKey: SecKey,
            loginManager: ASAuthorizationProviderExtensionLoginManager
        ) async -> Bool { keyType == .currentDeviceSigning }

        func displayNames(
            forGroups groups: [String],
            using loginManager: ASAuthorizationProviderExtensionLoginManager
        ) async -> [String: String] {
            Dictionary(uniqueKeysWithValues: groups.map { ($0, $0.uppercased()) })
        }

        func profilePictureForUser(
            using loginManager: ASAuthorizationProviderExtensionLoginManager
        ) async -> Data { Data([1, 2, 3]) }
    }

    /// Leaves out everything.
    private final class Nothing: NSObject, ASAuthorizationProviderExtensionRegistrationHandler {}

    private func device(_ options: ExtensionRequestOptions) -> ExtensionHostRequest {
        .registerDevice(ExtensionLoginState(), options)
    }

    private func user(_ name: String) -> ExtensionHostRequest {
        .registerUser(ExtensionLoginState(), userName: name, .password, [])
    }

    @Test("Registrations are answered by the async forms, and wait for the agent in them")
    func registrations() async throws {
        let agent = PlayedAgentEnd(Forms())
        #expect(
            await agent.ask(device(.userInteractionEnabled), number: 1)
                == .registration(.success))
        #expect(
            await agent.ask(device([]), number: 2) == .registration(.userInterfaceRequired))
        #expect(await agent.ask(user("anna"), number: 3) == .registration(.success))
        #expect(await agent.ask(user("bea"), number: 4) == .registration(.failed))
        #expect(agent.calls.filter { $0 == .userNeedsReauthentication }.count == 2)
        _ = try await agent.stop()
    }

    @Test("An agent that refuses makes the async form throw")
    func refused() async throws {
        let agent = PlayedAgentEnd(Forms()) { _ in .failure(.init(.failed, "no")) }
        #expect(await agent.ask(user("anna")) == .registration(.failedNoRetry))
        _ = try await agent.stop()
    }

    @Test("Rotation, names of groups and pictures")
    func others() async throws {
        let agent = PlayedAgentEnd(Forms())
        let state = ExtensionLoginState()
        let jwk = try PublicJWK(x963: Array(P256.Signing.PrivateKey().publicKey.x963Representation))
        let signing = ExtensionHostRequest.keyWillRotate(state, .currentDeviceSigning, newKey: jwk)
        let encryption = ExtensionHostRequest.keyWillRotate(
            state, .currentDeviceEncryption, newKey: jwk)
        #expect(await agent.ask(signing, number: 1) == .decision(true))
        #expect(await agent.ask(encryption, number: 2) == .decision(false))
        #expect(
            await agent.ask(.displayNames(state, groups: ["a"]), number: 3) == .names(["a": "A"]))
        #expect(await agent.ask(.profilePicture(state), number: 4) == .picture([1, 2, 3]))
        _ = try await agent.stop()
    }

    @Test("An extension with neither form registers nothing, and does not go round in circles")
    func neither() async throws {
        let agent = PlayedAgentEnd(Nothing())
        #expect(await agent.ask(device([]), number: 1) == .registration(.failedNoRetry))
        #expect(await agent.ask(user("anna"), number: 2) == .registration(.failedNoRetry))
        _ = try await agent.stop()
    }
}
