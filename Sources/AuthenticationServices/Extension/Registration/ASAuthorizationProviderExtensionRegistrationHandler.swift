// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A handler of registrations of devices and people with an identity provider (Apple "Registering
/// devices and users").
///
/// Every completion handler must be called once. A second call changes nothing. If an extension
/// releases its handler without a call, the operation has failed. All methods are called on the
/// main actor.
///
/// Of a method with a completion handler and its `async` form, an extension implements either, as
/// on Apple's systems. The system calls the first, which by default calls the second.
@MainActor public protocol ASAuthorizationProviderExtensionRegistrationHandler: NSObjectProtocol {
    /// Registers the device. The registration has no person: data of a person cannot be set.
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

    /// The registration is complete, and the person has signed in.
    func registrationDidComplete()

    /// The person gave the registration up.
    func registrationDidCancel()

    /// Returns the protocol version; 1.0 by default.
    func protocolVersion() -> ASAuthorizationProviderExtensionPlatformSSOProtocolVersion

    /// Returns the supported credentials of people. Apple documents no default; here it is a
    /// password and keys.
    func supportedGrantTypes() -> ASAuthorizationProviderExtensionSupportedGrantTypes

    /// The system is about to activate a new key of that type.
    ///
    /// - Parameter completion: Whether it may; call it after the provider has the new key.
    func keyWillRotate(
        for keyType: ASAuthorizationProviderExtensionKeyType, newKey: SecKey,
        loginManager: ASAuthorizationProviderExtensionLoginManager,
        completion: @escaping @Sendable (Bool) -> Void)

    /// The signature algorithms of the device's keys, preferred first.
    var supportedDeviceSigningAlgorithms: [ASAuthorizationProviderExtensionSigningAlgorithm] { get }

    /// The encryption algorithms of responses to the device, preferred first.
    var supportedDeviceEncryptionAlgorithms: [ASAuthorizationProviderExtensionEncryptionAlgorithm]
    { get }

    /// The signature algorithms of people's keys, preferred first.
    var supportedUserSecureEnclaveKeySigningAlgorithms:
        [ASAuthorizationProviderExtensionSigningAlgorithm]
    { get }

    /// Returns the displayed names of groups, by their identifiers.
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

/// The default implementations of optional methods, as on Apple's systems.
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
