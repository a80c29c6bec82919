// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PlatformSSO
package import Primitives
package import SingleSignOn

/// A single sign-on extension, as the agent sees it: Apple's
/// `ASAuthorizationProviderExtensionRegistrationHandler`. One of ours runs inside of the agent; others
/// run in processes of their own, behind the same seam.
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

    /// A key is about to take the place of another.
    ///
    /// - Returns: whether it may: the provider knows it. Asked again with the same key where nobody
    ///   heard the answer.
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
    /// Tells the provider that a device, or one person on it, is registered no more. `false` when the
    /// extension has no way to; Apple's have none.
    func unregister(_ leaving: Unregistration) async throws -> Bool
    /// The profile is gone; whatever the extension keeps goes with it.
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

/// A device that leaves its provider, or one person on it.
package struct Unregistration: Sendable {
    package let configuration: LoginConfiguration
    package let signing: AgentKey
    /// `nil` for the device with everybody on it.
    package let loginUserName: String?
}

/// Whoever signs with the agent's keys.
package protocol MessageSigner: Sendable {
    /// The signature of ES256 as JWS has it, 64 bytes.
    func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8]
}

extension AgentKeyStore: MessageSigner {}

/// What an extension may ask of the agent while it is called: Apple's
/// `ASAuthorizationProviderExtensionLoginManager`. It is good for one call; afterwards nothing that it
/// says is kept.
package protocol ExtensionLoginManager: MessageSigner {
    /// `ExtensionData` of the profile.
    var extensionData: [PropertyList.Entry] { get }
    var registrationToken: Secret? { get }
    /// The account that is registered; `nil` while a device is.
    var account: String? { get }
    /// Whose device keys the call is about.
    var owner: DeviceOwner { get }
    var loginConfiguration: LoginConfiguration? { get async }
    var facts: LocalDeviceAttributes { get }

    /// The device's keys: made, and kept, when they are first asked for.
    func deviceKeys() async throws -> DeviceKeyPairs
    /// Those of the device before its keys migrate, until that is done: `nil` where there are none, or
    /// several.
    var formerKeys: DeviceKeyPairs? { get async }
    /// Was about to take the place of their signing key when they began to migrate: the provider may know
    /// the machine by it.
    var formerPendingKey: AgentKey? { get async }
    /// New device keys, when the provider will never accept the old ones again.
    func resetDeviceKeys() async throws -> DeviceKeyPairs
    /// A key for the person, made and kept when it is first asked for.
    func userKey() async throws -> AgentKey
    func resetUserKey() async throws -> AgentKey
    func agree(_ key: AgentKey, with other: PublicJWK) async throws -> Secret
    /// What hardware says of a key of the device; `nil` where none says anything.
    func attest(_ key: AgentKey, challenge: [UInt8]) async throws -> KeyAttestation?

    /// By whom the TPM of the device's keys is vouched for; `nil` where nobody does.
    func endorsement() async throws -> KeyEndorsement?
    /// What was sealed for that TPM and the key that vouches for the device's.
    func activate(
        _ endorsement: KeyEndorsement, _ credential: SealedCredential
    ) async throws -> Secret

    /// A key beside the one in use, for ``completeRotation(of:)`` to put in its place; the same until
    /// then.
    func beginRotation(of role: AgentKeyRole) async throws -> AgentKey
    func pendingKey(_ role: AgentKeyRole) async -> AgentKey?
    /// - Throws: ``KeyStoreError`` when no rotation was begun.
    func completeRotation(of role: AgentKeyRole) async throws
    /// What ``saveCertificate(_:of:)`` saved, in DER; usually nothing.
    func certificates(of role: AgentKeyRole) async -> [[UInt8]]
    /// Goes along with what the key signs, and ends with the key.
    func saveCertificate(_ certificate: [UInt8], of role: AgentKeyRole) async throws

    func saveLoginConfiguration(_ configuration: LoginConfiguration) async throws
    func saveUserLoginConfiguration(_ configuration: UserLoginConfiguration) async throws

    /// The person, as far as the agent knows them; `nil` while a device is registered.
    var person: ExtensionPerson? { get async }
    func saveLoginUserName(_ name: String?) async throws
    /// `ssoTokens`: what apps are to find.
    func saveTokens(_ tokens: JSONObject?) async throws

    /// Why the call will not succeed, for whoever wants to know.
    func explain(_ reason: String) async

    /// Something that is to be done once the call is over.
    func request(_ need: ExtensionRepairReason) async throws

    /// Whether whoever sits there has a browser on this machine.
    var hasBrowser: Bool { get async }

    /// `AuthenticationMethod` of the profile.
    var authenticationMethod: PlatformSSOAuthenticationMethod { get }

    /// Shows something to the person, which is possible only with `userInteractionEnabled`.
    ///
    /// - Returns: what they answered; nothing for pages.
    func present(_ question: AgentPrompt) async throws -> String
}

extension ExtensionLoginManager {
    package var formerPendingKey: AgentKey? { get async { nil } }
    package func endorsement() async throws -> KeyEndorsement? { nil }
    package func activate(
        _ endorsement: KeyEndorsement, _ credential: SealedCredential
    ) async throws -> Secret { throw KeyStoreError.unusable("it is in no TPM") }
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

/// Which key of a registration.
package enum AgentKeyRole: String, Sendable, CaseIterable {
    case deviceSigning = "device_signing"
    case deviceEncryption = "device_encryption"
    case person
}

/// A key that takes the place of another.
package struct KeyRotation: Sendable, Equatable {
    package let role: AgentKeyRole
    package let key: AgentKey
    /// Whether the device's keys are for everybody.
    package let sharesDeviceKeys: Bool
}

/// What an extension is told of a person.
package struct ExtensionPerson: Sendable, Equatable {
    package var isRegistered: Bool
    package var loginUserName: String?
    /// What was saved of them last.
    package var configuration: UserLoginConfiguration?
    package var tokens: JSONObject?
    /// Whom the provider named at their first sign-in; extensions in processes of their own do not hear it.
    package var identity: LoginIdentity?

    package init(
        isRegistered: Bool, loginUserName: String?,
        configuration: UserLoginConfiguration? = nil, tokens: JSONObject?,
        identity: LoginIdentity? = nil
    ) {
        self.isRegistered = isRegistered
        self.loginUserName = loginUserName
        self.configuration = configuration
        self.tokens = tokens
        self.identity = identity
    }
}

/// What an extension finds is not right any more.
package enum ExtensionRepairReason: Sendable, Hashable, CaseIterable {
    /// `userNeedsReauthentication`: a full login, whatever the time.
    case reauthentication
    /// `deviceRegistrationsNeedsRepair`
    case deviceRepair
    /// `userRegistrationsNeedsRepair`
    case personRepair
    /// `decryptionKeysNeedRepair`: the device registers with another key for encryption.
    case decryptionKeys
}

/// What a machine says of itself when it registers.
package struct LocalDeviceAttributes: Sendable, Equatable {
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
package enum AgentPrompt: Sendable, Equatable {
    case line(String, suggestion: String?)
    case secret(String)
    case choice(String, [String])
    /// A sentence that asks nothing.
    case notice(String)
    /// A page to open in the browser of this machine, where its answer comes to.
    case page(String)
    /// A page to open anywhere, and the code to type there (RFC 8628 section 3.3).
    case code(DeviceCodeInstructions)
}

/// What somebody needs who signs in on another device.
package struct DeviceCodeInstructions: Sendable, Equatable {
    package let url: String
    package let code: String
    /// The page with the code in it, to be scanned.
    package let completeURL: String

    package init(url: String, code: String, completeURL: String) {
        self.url = url
        self.code = code
        self.completeURL = completeURL
    }
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
