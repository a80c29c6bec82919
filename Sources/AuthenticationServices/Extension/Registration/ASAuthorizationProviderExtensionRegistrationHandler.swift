// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Registers devices and people with an identity provider (Apple "Registering devices and users").
///
/// Every completion handler is to be called once. A second call changes nothing, and an extension
/// that loses its handler is taken to have failed. All methods are called on the main
/// actor.
///
/// Of a method with a completion handler and the `async` one beside it, an extension implements
/// either, as on Apple's systems. The system calls the first, which by default calls the second.
@MainActor public protocol ASAuthorizationProviderExtensionRegistrationHandler: NSObjectProtocol {
    /// Registers the device. It is nobody's: nothing of a person can be set.
    func beginDeviceRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        options: ASAuthorizationProviderExtensionRequestOptions,
        completion:
            @escaping @Sendable (ASAuthorizationProviderExtensionRegistrationResult) -> Void)

    /// Registers a person on a registered device.
    ///
    /// - Parameter userName: what they have typed already, if they have.
    func beginUserRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager, userName: String?,
        method: ASAuthorizationProviderExtensionAuthenticationMethod,
        options: ASAuthorizationProviderExtensionRequestOptions,
        completion:
            @escaping @Sendable (ASAuthorizationProviderExtensionRegistrationResult) -> Void)

    /// The registration is over, and the person has signed in.
    func registrationDidComplete()

    /// The person gave the registration up.
    func registrationDidCancel()

    /// Which version is spoken; 1.0 unless it says otherwise.
    func protocolVersion() -> ASAuthorizationProviderExtensionPlatformSSOProtocolVersion

    /// What proves a person. Apple states no default; here it is a password and keys.
    func supportedGrantTypes() -> ASAuthorizationProviderExtensionSupportedGrantTypes

    /// The system is about to take another key of that type into use.
    ///
    /// - Parameter completion: whether it may; when the provider knows the new key.
    func keyWillRotate(
        for keyType: ASAuthorizationProviderExtensionKeyType, newKey: SecKey,
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        completion: @escaping @Sendable (Bool) -> Void)

    /// How the device's keys may sign, best first.
    var supportedDeviceSigningAlgorithms: [ASAuthorizationProviderExtensionSigningAlgorithm] { get }

    /// How answers may be encrypted to the device, best first.
    var supportedDeviceEncryptionAlgorithms: [ASAuthorizationProviderExtensionEncryptionAlgorithm]
    { get }

    /// How people's keys may sign, best first.
    var supportedUserSecureEnclaveKeySigningAlgorithms:
        [ASAuthorizationProviderExtensionSigningAlgorithm]
    { get }

    /// What groups are called, by their identifiers.
    func displayNames(
        forGroups groups: [String],
        using loginManager: ASAuthorizationProviderExtensionLoginManager,
        completion: @escaping @Sendable ([String: String]) -> Void)

    /// A picture of the person.
    func profilePictureForUser(
        using loginManager: ASAuthorizationProviderExtensionLoginManager,
        completion: @escaping @Sendable (Data) -> Void)

    // MARK: The same, async

    /// As the method with a completion handler.
    func beginDeviceRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        options: ASAuthorizationProviderExtensionRequestOptions
    ) async -> ASAuthorizationProviderExtensionRegistrationResult

    /// As the method with a completion handler.
    func beginUserRegistration(
        loginManager: ASAuthorizationProviderExtensionLoginManager, userName: String?,
        method: ASAuthorizationProviderExtensionAuthenticationMethod,
        options: ASAuthorizationProviderExtensionRequestOptions
    ) async -> ASAuthorizationProviderExtensionRegistrationResult

    /// As the method with a completion handler.
    func keyWillRotate(
        for keyType: ASAuthorizationProviderExtensionKeyType, newKey: SecKey,
        loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async -> Bool

    /// As the method with a completion handler.
    func displayNames(
        forGroups groups: [String],
        using loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async -> [String: String]

    /// As the method with a completion handler.
    func profilePictureForUser(
        using loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async -> Data
}

/// What an extension may leave out, as on Apple's systems.
extension ASAuthorizationProviderExtensionRegistrationHandler {
    /// Does nothing.
    public func registrationDidComplete() {}

    /// Does nothing.
    public func registrationDidCancel() {}

    /// 1.0.
    public func protocolVersion() -> ASAuthorizationProviderExtensionPlatformSSOProtocolVersion {
        .version1_0
    }

    /// A password and keys.
    public func supportedGrantTypes() -> ASAuthorizationProviderExtensionSupportedGrantTypes {
        [.password, .jwtBearer]
    }

    /// ES256.
    public var supportedDeviceSigningAlgorithms: [ASAuthorizationProviderExtensionSigningAlgorithm]
    { [.es256] }

    /// ECDH with AES-256-GCM.
    public var supportedDeviceEncryptionAlgorithms:
        [ASAuthorizationProviderExtensionEncryptionAlgorithm]
    { [.ecdhe_A256GCM] }

    /// ES256.
    public var supportedUserSecureEnclaveKeySigningAlgorithms:
        [ASAuthorizationProviderExtensionSigningAlgorithm]
    { [.es256] }
}
