// SPDX-License-Identifier: Apache-2.0
public import Foundation
import SSOExtensions

/// The two forms of a method, for whoever implements one: the one with a completion handler calls the
/// `async` one, and that has an answer of its own. Never the other way round, or an extension with
/// neither would go round in circles.
extension ASAuthorizationProviderExtensionRegistrationHandler {
    // MARK: With a completion handler

    /// Calls the `async` form.
    public func beginDeviceRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        options: ASAuthorizationProviderExtensionRequestOptions,
        completion:
            @escaping @Sendable (ASAuthorizationProviderExtensionRegistrationResult) -> Void
    ) {
        Task {
            completion(await beginDeviceRegistration(loginManager: loginManager, options: options))
        }
    }

    /// Calls the `async` form.
    public func beginUserRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager, userName: String?,
        method: ASAuthorizationProviderExtensionAuthenticationMethod,
        options: ASAuthorizationProviderExtensionRequestOptions,
        completion:
            @escaping @Sendable (ASAuthorizationProviderExtensionRegistrationResult) -> Void
    ) {
        Task {
            completion(
                await beginUserRegistration(
                    loginManager: loginManager, userName: userName, method: method,
                    options: options))
        }
    }

    /// Calls the `async` form.
    public func keyWillRotate(
        for keyType: ASAuthorizationProviderExtensionKeyType, newKey: SecKey,
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        completion: @escaping @Sendable (Bool) -> Void
    ) {
        Task {
            completion(
                await keyWillRotate(for: keyType, newKey: newKey, loginManager: loginManager))
        }
    }

    /// Calls the `async` form.
    public func displayNames(
        forGroups groups: [String],
        using loginManager: ASAuthorizationProviderExtensionLoginManager,
        completion: @escaping @Sendable ([String: String]) -> Void
    ) {
        Task { completion(await displayNames(forGroups: groups, using: loginManager)) }
    }

    /// Calls the `async` form.
    public func profilePictureForUser(
        using loginManager: ASAuthorizationProviderExtensionLoginManager,
        completion: @escaping @Sendable (Data) -> Void
    ) {
        Task { completion(await profilePictureForUser(using: loginManager)) }
    }

    // MARK: async

    /// Fails: one of the two forms must be there.
    public func beginDeviceRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        options: ASAuthorizationProviderExtensionRequestOptions
    ) async -> ASAuthorizationProviderExtensionRegistrationResult {
        ExtensionWarning.write("beginDeviceRegistration is not implemented.")
        return .failedNoRetry
    }

    /// Fails: one of the two forms must be there.
    public func beginUserRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager, userName: String?,
        method: ASAuthorizationProviderExtensionAuthenticationMethod,
        options: ASAuthorizationProviderExtensionRequestOptions
    ) async -> ASAuthorizationProviderExtensionRegistrationResult {
        ExtensionWarning.write("beginUserRegistration is not implemented.")
        return .failedNoRetry
    }

    /// Refuses: a provider that was not told of the new key would refuse whoever uses it.
    public func keyWillRotate(
        for keyType: ASAuthorizationProviderExtensionKeyType, newKey: SecKey,
        loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async -> Bool { false }

    /// Knows none.
    public func displayNames(
        forGroups groups: [String],
        using loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async -> [String: String] { [:] }

    /// Has none.
    public func profilePictureForUser(
        using loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async -> Data { Data() }
}
