// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
package import SSOExtensions
package import SingleSignOn

/// An extension in a separate process, with the interface of the built-in one. Whatever happens to
/// the process, a registration ends with a result.
package struct ProcessExtension: RegistrationExtension, AuthorizationExtension {
    private let host: ExtensionHost

    package init(_ host: ExtensionHost) { self.host = host }

    package func describe() async throws -> ExtensionDescription { try await host.describe().get() }

    package func beginDeviceRegistration(
        _ manager: any ExtensionLoginManager, options: ExtensionRequestOptions
    ) async -> ExtensionRegistrationResult {
        let state = await ExtensionLoginState(of: manager, isDeviceRegistered: false)
        return await register(.registerDevice(state.ofTheDevice, options), manager)
    }

    package func beginUserRegistration(
        _ manager: any ExtensionLoginManager, userName: String?,
        method: PlatformSSOAuthenticationMethod,
        options: ExtensionRequestOptions
    ) async -> ExtensionRegistrationResult {
        var state = await ExtensionLoginState(of: manager, isDeviceRegistered: true)
        state.authenticationMethod = method
        return await register(
            .registerUser(state, userName: userName, method, options), manager)
    }

    package func keyWillRotate(
        _ rotation: KeyRotation, _ manager: any ExtensionLoginManager
    ) async -> Bool {
        let state = await ExtensionLoginState(of: manager, isDeviceRegistered: true)
        let request = ExtensionHostRequest.keyWillRotate(
            state, rotation.type, newKey: rotation.key.publicKey)
        let answer = await host.perform(request, calls: LoginManagerProxy(manager))
        guard case .success(.decision(let mayRotate)) = answer else { return false }
        return mayRotate
    }

    package var describesPeople: Bool { true }

    package func displayNames(
        of groups: [String], _ manager: any ExtensionLoginManager
    ) async -> [String: String]? {
        let state = await ExtensionLoginState(of: manager, isDeviceRegistered: true)
        let answer = await host.perform(
            .displayNames(state, groups: groups), calls: LoginManagerProxy(manager))
        guard case .success(.names(let names)) = answer else { return nil }
        return names
    }

    package func profilePicture(_ manager: any ExtensionLoginManager) async -> [UInt8]? {
        let state = await ExtensionLoginState(of: manager, isDeviceRegistered: true)
        let answer = await host.perform(.profilePicture(state), calls: LoginManagerProxy(manager))
        guard case .success(.picture(let bytes)) = answer else { return nil }
        return bytes
    }

    package func registrationDidComplete() async {
        _ = await host.perform(.registrationDidComplete)
    }

    package func registrationDidCancel() async { _ = await host.perform(.registrationDidCancel) }

    /// Told as on Apple's systems, by a request with that operation, to those who answer requests.
    package func configurationRemoved() async {
        let request = ExtensionAuthorizationRequest(url: "", operation: "configurationRemoved")
        _ = await host.perform(.authorize(request, ExtensionLoginState()))
        await host.unload()
    }

    package func authorize(
        _ request: ExtensionAuthorizationRequest, _ manager: any ExtensionLoginManager
    ) async -> ExtensionAuthorizationResponse {
        let configuration = await manager.loginConfiguration
        let state = await ExtensionLoginState(
            of: manager, isDeviceRegistered: configuration != nil)
        let answer = await host.perform(
            .authorize(request, state), calls: LoginManagerProxy(manager))
        guard case .success(.authorization(let outcome)) = answer else { return .notHandled }
        return outcome
    }

    private func register(
        _ request: ExtensionHostRequest, _ manager: any ExtensionLoginManager
    ) async -> ExtensionRegistrationResult {
        switch await host.perform(request, calls: LoginManagerProxy(manager)) {
        case .success(.registration(let result)):
            if result == .failed || result == .failedNoRetry {
                await manager.explain("as the extension requested")
            }
            return result
        case .success: return .failed
        case .failure(let failure):
            await manager.explain("\(failure)")
            return .failed
        }
    }
}

extension ExtensionLoginState {
    /// What the process is told of the login manager; of a device registration, ``ofTheDevice``.
    package init(of manager: any ExtensionLoginManager, isDeviceRegistered: Bool) async {
        self.init()
        self.isDeviceRegistered = isDeviceRegistered
        registrationToken = manager.registrationToken
        authenticationMethod = manager.authenticationMethod
        extensionData = manager.extensionData
        loginConfiguration = await manager.loginConfiguration?.json
        let person = await manager.person
        isUserRegistered = person?.isRegistered ?? false
        loginUserName = person?.loginUserName
        userLoginConfiguration = person?.configuration?.json
        tokens = person?.tokens
    }
}

extension KeyRotation {
    fileprivate var type: ExtensionKeyType {
        switch role {
        case .deviceSigning: sharesDeviceKeys ? .sharedDeviceSigning : .userDeviceSigning
        case .deviceEncryption: sharesDeviceKeys ? .sharedDeviceEncryption : .userDeviceEncryption
        case .person: .userSecureEnclaveKey
        }
    }
}
