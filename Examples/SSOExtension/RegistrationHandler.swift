// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

/// Registers this device and its people, by Apple's article "Registering devices and users". On Apple's
/// systems the bundle's Info.plist names this class. Nothing in this file is for Linux.
final class RegistrationHandler: NSObject, ASAuthorizationProviderExtensionRegistrationHandler {
    func beginDeviceRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        options: ASAuthorizationProviderExtensionRequestOptions
    ) async -> ASAuthorizationProviderExtensionRegistrationResult {
        // Without a token a person would have to sign in, which this example leaves out.
        guard let token = loginManager.registrationToken else {
            let wasAsked = options.contains(.userInteractionEnabled)
            return wasAsked ? .failedNoRetry : .userInterfaceRequired
        }
        guard let signing = loginManager.key(for: .currentDeviceSigning),
            let encryption = loginManager.key(for: .currentDeviceEncryption)
        else { return .failed }
        let device = DeviceRegistration(
            signing: DeviceKey(signing), encryption: DeviceKey(encryption), token: token,
            isShared: options.contains(.registrationSharedDeviceKeys))
        do {
            let provider = try chosenProvider(loginManager.extensionData)
            let configuration = try await provider.register(device)
            try loginManager.saveLoginConfiguration(configuration)
            return .success
        } catch ProviderFailure.refused {
            return .failedNoRetry
        } catch {
            return .failed
        }
    }

    func beginUserRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager, userName: String?,
        method: ASAuthorizationProviderExtensionAuthenticationMethod,
        options: ASAuthorizationProviderExtensionRequestOptions
    ) async -> ASAuthorizationProviderExtensionRegistrationResult {
        let mayAsk = options.contains(.userInteractionEnabled)
        guard userName != nil || mayAsk else { return .userInterfaceRequired }
        // A person who registers here for the first time is prompted for their name.
        let asked = userName == nil ? try? await PersonName.ask(loginManager) : userName
        guard let userName = asked, !userName.isEmpty else { return .failed }
        guard let device = loginManager.key(for: .currentDeviceSigning) else { return .failed }
        let key = loginManager.key(for: .userSecureEnclaveKey)
        let person = PersonRegistration(
            name: userName, device: DeviceKey(device),
            key: method == .userSecureEnclaveKey ? key.map { DeviceKey($0) } : nil,
            refreshToken: loginManager.ssoTokens?["refresh_token"] as? String)
        guard method != .userSecureEnclaveKey || person.key != nil else { return .failed }
        do {
            let provider = try chosenProvider(loginManager.extensionData)
            let login = try await provider.register(person)
            try loginManager.saveUserLoginConfiguration(
                ASAuthorizationProviderExtensionUserLoginConfiguration(loginUserName: login))
            return .success
        } catch ProviderFailure.refused {
            return .failedNoRetry
        } catch {
            return .failed
        }
    }

    func protocolVersion() -> ASAuthorizationProviderExtensionPlatformSSOProtocolVersion {
        .version2_0
    }

    func supportedGrantTypes() -> ASAuthorizationProviderExtensionSupportedGrantTypes {
        [.password, .jwtBearer]
    }
}

/// Requests of apps go on as if there were no extension: registration is all that is shown here.
extension RegistrationHandler: ASAuthorizationProviderExtensionAuthorizationRequestHandler {
    func beginAuthorization(
        with request: ASAuthorizationProviderExtensionAuthorizationRequest
    ) {
        request.doNotHandle()
    }
}
