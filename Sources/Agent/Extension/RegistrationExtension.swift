// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PlatformSSO
package import Primitives
package import SingleSignOn

/// A single sign-on extension, as the agent sees it: Apple's
/// `ASAuthorizationProviderExtensionRegistrationHandler`. One of ours runs inside of the agent; others
/// run in processes of their own, behind the same seam.
package protocol RegistrationExtension: Sendable {
    /// Registers the device at its provider. It saves a configuration before it answers `success`.
    func beginDeviceRegistration(
        _ manager: any ExtensionLoginManager, options: RegistrationRequestOptions
    ) async -> RegistrationResult

    /// Registers a person on a registered device.
    ///
    /// - Parameter userName: As far as it is known.
    func beginUserRegistration(
        _ manager: any ExtensionLoginManager, userName: String?, method: AuthenticationMethod,
        options: RegistrationRequestOptions
    ) async -> RegistrationResult

    func registrationDidComplete() async
    func registrationDidCancel() async
    /// The profile is gone; whatever the extension keeps goes with it.
    func configurationRemoved() async
}

/// What an extension may ask of the agent while it is called: Apple's
/// `ASAuthorizationProviderExtensionLoginManager`. It is good for one call; afterwards nothing that it
/// says is kept.
package protocol ExtensionLoginManager: Sendable {
    /// `ExtensionData` of the profile.
    var extensionData: [PropertyList.Entry] { get }
    var registrationToken: Secret? { get }
    /// The account that is registered; `nil` while a device is.
    var account: String? { get }
    var loginConfiguration: LoginConfiguration? { get async }
    var facts: DeviceFacts { get }

    /// The device's keys: made, and kept, when they are first asked for.
    func deviceKeys() async throws -> DeviceKeyPairs
    /// New device keys, when the provider will never accept the old ones again.
    func resetDeviceKeys() async throws -> DeviceKeyPairs
    /// A key for the person, made and kept when it is first asked for.
    func userKey() async throws -> AgentKey
    func resetUserKey() async throws -> AgentKey
    func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8]
    func agree(_ key: AgentKey, with other: PublicJWK) async throws -> Secret

    func saveLoginConfiguration(_ configuration: LoginConfiguration) async throws
    func saveUserLoginConfiguration(_ configuration: UserLoginConfiguration) async throws

    /// Shows something to the person, which is possible only with `userInteractionEnabled`.
    ///
    /// - Returns: what they answered; nothing for pages.
    func present(_ question: AgentQuestion) async throws -> String
}

/// The pair of device keys that a call is about.
package struct DeviceKeyPairs: Sendable, Equatable {
    package let signing: AgentKey
    package let encryption: AgentKey

    package init(signing: AgentKey, encryption: AgentKey) {
        self.signing = signing
        self.encryption = encryption
    }
}

/// What a machine says of itself when it registers.
package struct DeviceFacts: Sendable, Equatable {
    package var serialNumber: String?
    package var udid: String?
    package var model: String?
    package var hostName: String?
    package var systemVersion: String?

    package init(
        serialNumber: String? = nil, udid: String? = nil, model: String? = nil,
        hostName: String? = nil, systemVersion: String? = nil
    ) {
        self.serialNumber = serialNumber
        self.udid = udid
        self.model = model
        self.hostName = hostName
        self.systemVersion = systemVersion
    }
}

/// Something for a person: drawn by whoever sits before them, never by the extension.
package enum AgentQuestion: Sendable, Equatable {
    case line(String, suggestion: String?)
    case secret(String)
    case choice(String, [String])
    /// A page to open.
    case page(String)
}

/// Why an extension gets no answer.
package enum PresentationError: Error, Sendable, Equatable {
    /// Nothing may be shown in this call.
    case notAllowed
    /// The person gave up, or has gone.
    case cancelled
    /// The call is over, or was abandoned.
    case callOver
}
