// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// A single sign-on extension: Apple's `ASAuthorizationProviderExtensionRegistrationHandler`. The
/// built-in one runs in the agent; others run in separate processes with the same interface.
package protocol RegistrationExtension: Sendable {
    /// What it says that it can do.
    ///
    /// - Throws: Why it does not say.
    func describe() async throws -> ExtensionDescription

    /// Registers the device at its provider. It saves a configuration before it answers `success`.
    func beginDeviceRegistration(
        _ manager: any ExtensionLoginManager, options: ExtensionRequestOptions
    ) async -> ExtensionRegistrationResult

    /// Registers a person on a registered device.
    ///
    /// - Parameter userName: As far as it is known.
    func beginUserRegistration(
        _ manager: any ExtensionLoginManager, userName: String?,
        method: PlatformSSOAuthenticationMethod,
        options: ExtensionRequestOptions
    ) async -> ExtensionRegistrationResult

    /// Notifies the provider of a new key.
    ///
    /// - Returns: Whether the rotation may be completed: the provider knows the key. The call is
    ///   repeated with the same key if its result was lost.
    func keyWillRotate(
        _ rotation: KeyRotation, _ manager: any ExtensionLoginManager
    ) async -> Bool

    /// Whether it has anything to say of people, when they have signed in.
    var describesPeople: Bool { get }
    /// What groups are called, by their identifiers; `nil` when it failed.
    func displayNames(
        of groups: [String], _ manager: any ExtensionLoginManager
    ) async -> [String: String]?
    /// What the person looks like; empty for none, `nil` when it failed.
    func profilePicture(_ manager: any ExtensionLoginManager) async -> [UInt8]?

    func registrationDidComplete() async
    func registrationDidCancel() async
    /// Notifies the provider that a device, or one person on it, is unregistered. `false` if the
    /// extension cannot; Apple's interface has no such call.
    func unregister(_ leaving: Unregistration) async throws -> Bool
    /// The profile was removed; the extension deletes what it stored.
    func configurationRemoved() async
}

extension RegistrationExtension {
    package func describe() async throws -> ExtensionDescription { .unlimited }

    package func unregister(_ leaving: Unregistration) async throws -> Bool { false }

    package var describesPeople: Bool { false }
    package func displayNames(
        of groups: [String], _ manager: any ExtensionLoginManager
    ) async -> [String: String]? { [:] }
    package func profilePicture(_ manager: any ExtensionLoginManager) async -> [UInt8]? { [] }
}
