// SPDX-License-Identifier: Apache-2.0
import SSOExtensions

/// The two forms of each method: the form with a completion handler calls the `async` form, which
/// has a default result. The reverse would recurse in an extension with neither.
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

    /// Refuses: a provider without the new key would refuse its signatures.
    public func keyWillRotate(
        for keyType: ASAuthorizationProviderExtensionKeyType, newKey: SecKey,
        loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async -> Bool { false }

    /// Returns no names.
    public func displayNames(
        forGroups groups: [String],
        using loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async -> [String: String] { [:] }

    /// Has none.
    public func profilePictureForUser(
        using loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async -> Data { Data() }
}
