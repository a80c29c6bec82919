// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

#if canImport(Security)
    import Security
#endif

/// Registers this device and its people at a small provider, by Apple's article "Registering devices
/// and users". Nothing in this file is for Linux.
final class RegistrationHandler: NSObject, ASAuthorizationProviderExtensionRegistrationHandler {
    func beginDeviceRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        options: ASAuthorizationProviderExtensionRequestOptions,
        completion:
            @escaping @Sendable (ASAuthorizationProviderExtensionRegistrationResult) -> Void
    ) {
        // Without a token somebody would have to sign in, which this example leaves out.
        guard let token = loginManager.registrationToken else {
            return completion(
                options.contains(.userInteractionEnabled) ? .failedNoRetry : .userInterfaceRequired)
        }
        Task { completion(await registerDevice(loginManager, token)) }
    }

    func beginUserRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager, userName: String?,
        method: ASAuthorizationProviderExtensionAuthenticationMethod,
        options: ASAuthorizationProviderExtensionRequestOptions,
        completion:
            @escaping @Sendable (ASAuthorizationProviderExtensionRegistrationResult) -> Void
    ) {
        guard userName != nil || options.contains(.userInteractionEnabled) else {
            return completion(.userInterfaceRequired)
        }
        Task {
            // Whoever registers here for the first time is asked for their name.
            let asked = userName == nil ? try? await PersonName.ask(loginManager) : userName
            guard let name = asked, !name.isEmpty else { return completion(.failed) }
            completion(await registerUser(loginManager, name))
        }
    }

    func protocolVersion() -> ASAuthorizationProviderExtensionPlatformSSOProtocolVersion {
        .version2_0
    }

    func supportedGrantTypes() -> ASAuthorizationProviderExtensionSupportedGrantTypes {
        [.password, .jwtBearer]
    }

    // MARK: Registration

    private func registerDevice(
        _ loginManager: ASAuthorizationProviderExtensionLoginManager, _ token: String
    ) async -> ASAuthorizationProviderExtensionRegistrationResult {
        do {
            let provider = try SmallProvider(loginManager.extensionData)
            guard let signing = loginManager.key(for: .currentDeviceSigning),
                let encryption = loginManager.key(for: .currentDeviceEncryption)
            else { return .failed }
            let challenge = try await provider.challenge()
            let answer = try await provider.post(
                "/devices",
                [
                    "token": token, "challenge": challenge.base64EncodedString(),
                    "signing_key": try point(of: signing).base64EncodedString(),
                    "encryption_key": try point(of: encryption).base64EncodedString(),
                    "signature": try signature(over: challenge, by: signing).base64EncodedString(),
                ])
            let configuration = try provider.configuration(answer)
            try loginManager.saveLoginConfiguration(configuration)
            return .success
        } catch SmallProvider.Failure.refused {
            return .failedNoRetry
        } catch {
            return .failed
        }
    }

    private func registerUser(
        _ loginManager: ASAuthorizationProviderExtensionLoginManager, _ userName: String
    ) async -> ASAuthorizationProviderExtensionRegistrationResult {
        do {
            let provider = try SmallProvider(loginManager.extensionData)
            guard let device = loginManager.key(for: .currentDeviceSigning),
                let key = loginManager.key(for: .userSecureEnclaveKey)
            else { return .failed }
            let challenge = try await provider.challenge()
            let answer = try await provider.post(
                "/people",
                [
                    "name": userName, "challenge": challenge.base64EncodedString(),
                    "device_key": try point(of: device).base64EncodedString(),
                    "device_signature": try signature(over: challenge, by: device)
                        .base64EncodedString(),
                    "key": try point(of: key).base64EncodedString(),
                    "signature": try signature(over: challenge, by: key).base64EncodedString(),
                ])
            let user = ASAuthorizationProviderExtensionUserLoginConfiguration(
                loginUserName: answer["login"] as? String ?? userName)
            try loginManager.saveUserLoginConfiguration(user)
            return .success
        } catch {
            return .failed
        }
    }

    // MARK: Keys

    private struct KeyFailure: Error {}

    private func point(of key: SecKey) throws -> Data {
        guard let publicKey = SecKeyCopyPublicKey(key),
            let point = SecKeyCopyExternalRepresentation(publicKey, nil) as Data?
        else { throw KeyFailure() }
        return point
    }

    private func signature(over data: Data, by key: SecKey) throws -> Data {
        var error: Unmanaged<CFError>?
        let signature = SecKeyCreateSignature(
            key, .ecdsaSignatureMessageX962SHA256, data as CFData, &error)
        guard let signature = signature as Data? else {
            throw error.map { $0.takeRetainedValue() as any Error } ?? KeyFailure()
        }
        return signature
    }
}
