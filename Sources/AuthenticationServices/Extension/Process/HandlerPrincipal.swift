// SPDX-License-Identifier: Apache-2.0
package import Foundation
import PlatformSSO
package import SSOExtensions
package import SingleSignOn

/// Hands requests to the methods of Apple's protocols, on the main actor.
package final class HandlerPrincipal: ExtensionPrincipal {
    package let description: ExtensionDescription
    private let handlers: Handlers

    /// Never leaves the main actor.
    @MainActor private final class Handlers {
        let registration: (any ASAuthorizationProviderExtensionRegistrationHandler)?
        let authorization: (any ASAuthorizationProviderExtensionAuthorizationRequestHandler)?
        /// Authorization requests that have been begun, to be cancelled as the same objects.
        var open: [ObjectIdentifier: WeakRequest] = [:]

        init(_ principal: any NSObjectProtocol) {
            registration = principal as? any ASAuthorizationProviderExtensionRegistrationHandler
            authorization =
                principal as? any ASAuthorizationProviderExtensionAuthorizationRequestHandler
        }
    }

    private struct WeakRequest {
        weak var request: ASAuthorizationProviderExtensionAuthorizationRequest?
    }

    @MainActor package init(_ principal: any NSObjectProtocol) {
        handlers = Handlers(principal)
        let registration = handlers.registration
        description = ExtensionDescription(
            handlesRegistration: registration != nil,
            handlesAuthorization: handlers.authorization != nil,
            protocolVersion: registration?.protocolVersion() == .version2_0 ? .version2 : .version1,
            grantTypes: .init(
                rawValue: UInt(clamping: registration?.supportedGrantTypes().rawValue ?? 0)
                    & ExtensionDescription.GrantTypes.known.rawValue),
            deviceSigningAlgorithms: registration?.supportedDeviceSigningAlgorithms
                .compactMap(\.name) ?? [],
            deviceEncryptionAlgorithms: registration?.supportedDeviceEncryptionAlgorithms
                .compactMap { $0.value?.rawValue } ?? [],
            userKeySigningAlgorithms: registration?.supportedUserSecureEnclaveKeySigningAlgorithms
                .compactMap(\.name) ?? [])
    }

    package func begin(_ request: OpenRequest) async { await begin(request, with: handlers) }

    package func cancel(_ request: OpenRequest) async { await cancel(request, with: handlers) }

    @MainActor private func cancel(_ request: OpenRequest, with handlers: Handlers) {
        guard let open = handlers.open.removeValue(forKey: ObjectIdentifier(request))?.request
        else { return }
        handlers.authorization?.cancelAuthorization(with: open)
    }

    @MainActor private func begin(_ request: OpenRequest, with handlers: Handlers) {
        if case .authorize = request.request {
            guard let handler = handlers.authorization,
                let authorization = ASAuthorizationProviderExtensionAuthorizationRequest(request)
            else { return missing(request) }
            handlers.open = handlers.open.filter { $0.value.request != nil }
            handlers.open[ObjectIdentifier(request)] = WeakRequest(request: authorization)
            return handler.beginAuthorization(with: authorization)
        }
        guard let handler = handlers.registration else { return missing(request) }
        register(request, with: handler)
    }

    @MainActor private func register(
        _ request: OpenRequest,
        with handler: any ASAuthorizationProviderExtensionRegistrationHandler
    ) {
        let manager = ASAuthorizationProviderExtensionLoginManager(request)
        switch request.request {
        case .registerDevice(_, let options):
            let once = OneShotResponder(request, name: "The completion of beginDeviceRegistration")
            handler.beginDeviceRegistration(
                loginManager: manager, options: .init(rawValue: options.rawValue)
            ) { once(.registration($0.result)) }
        case .registerUser(_, let userName, let method, let options):
            let once = OneShotResponder(request, name: "The completion of beginUserRegistration")
            handler.beginUserRegistration(
                loginManager: manager, userName: userName, method: .init(method),
                options: .init(rawValue: options.rawValue)
            ) { once(.registration($0.result)) }
        case .registrationDidComplete:
            handler.registrationDidComplete()
            request.answer(.done)
        case .registrationDidCancel:
            handler.registrationDidCancel()
            request.answer(.done)
        default: inform(request, manager, with: handler)
        }
    }

    @MainActor private func inform(
        _ request: OpenRequest, _ manager: ASAuthorizationProviderExtensionLoginManager,
        with handler: any ASAuthorizationProviderExtensionRegistrationHandler
    ) {
        switch request.request {
        case .keyWillRotate(_, let type, let newKey):
            let once = OneShotResponder(request, name: "The completion of keyWillRotate")
            guard let keyType = ASAuthorizationProviderExtensionKeyType(rawValue: type.rawValue)
            else { return missing(request) }
            let key = SecKey(newKey, ExtensionKeyReference(type, isPending: true), in: request)
            handler.keyWillRotate(for: keyType, newKey: key, loginManager: manager) {
                once(.decision($0))
            }
        case .displayNames(_, let groups):
            let once = OneShotResponder(request, name: "The completion of displayNames")
            handler.displayNames(forGroups: groups, using: manager) { once(.names($0)) }
        case .profilePicture:
            let once = OneShotResponder(request, name: "The completion of profilePictureForUser")
            handler.profilePictureForUser(using: manager) { once(.picture(Array($0))) }
        default: missing(request)
        }
    }

    private func missing(_ request: OpenRequest) {
        request.answer(.missing(to: request.request.kind))
    }
}

extension ASAuthorizationProviderExtensionRegistrationResult {
    /// The numbers are the same.
    fileprivate var result: ExtensionRegistrationResult {
        ExtensionRegistrationResult(rawValue: rawValue) ?? .failed
    }
}
