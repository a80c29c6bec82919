// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
package import SSOExtensions
package import SingleSignOn

/// An extension in a process of its own, behind the seam that the built-in one has. Whatever becomes of
/// the process, a registration ends with a result.
package struct ProcessExtension: RegistrationExtension {
    private let host: ExtensionHost

    package init(_ host: ExtensionHost) { self.host = host }

    package func beginDeviceRegistration(
        _ manager: any ExtensionLoginManager, options: RegistrationRequestOptions
    ) async -> RegistrationResult {
        let state = await state(manager, isDeviceRegistered: false)
        return await register(.registerDevice(state.ofTheDevice, options.wire), manager)
    }

    package func beginUserRegistration(
        _ manager: any ExtensionLoginManager, userName: String?, method: AuthenticationMethod,
        options: RegistrationRequestOptions
    ) async -> RegistrationResult {
        var state = await state(manager, isDeviceRegistered: true)
        state.authenticationMethod = method
        return await register(
            .registerUser(state, userName: userName, method, options.wire), manager)
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

    private func register(
        _ request: ExtensionRequest, _ manager: any ExtensionLoginManager
    ) async -> RegistrationResult {
        switch await host.perform(request, calls: LoginManagerCalls(manager)) {
        case .success(.registration(let result)):
            RegistrationResult(rawValue: result.rawValue) ?? .failed
        default: .failed
        }
    }

    private func state(
        _ manager: any ExtensionLoginManager, isDeviceRegistered: Bool
    ) async -> ExtensionLoginState {
        var state = ExtensionLoginState()
        let configuration = await manager.loginConfiguration
        state.isDeviceRegistered = isDeviceRegistered
        state.registrationToken = manager.registrationToken
        state.extensionData = manager.extensionData
        state.loginConfiguration = configuration?.json
        return state
    }
}

extension RegistrationRequestOptions {
    /// The bits are the same.
    fileprivate var wire: ExtensionRequestOptions { ExtensionRequestOptions(rawValue: rawValue) }
}
