// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import JOSE
package import PlatformSSO
package import Primitives
package import SingleSignOn

/// The requests of an extension to the agent during a call: Apple's
/// `ASAuthorizationProviderExtensionLoginManager`. It is valid for one call; afterwards it saves
/// nothing.
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

    /// Returns the endorsement of the TPM with the device's keys; `nil` if there is none.
    func endorsement() async throws -> KeyEndorsement?
    /// Opens a credential that was sealed for that TPM and its attestation key.
    func activate(
        _ endorsement: KeyEndorsement, _ credential: SealedCredential
    ) async throws -> Secret

    /// Returns a new key alongside the active one, which ``completeRotation(of:)`` replaces by it;
    /// the same key until then.
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

    /// Reports why the call will not succeed.
    func explain(_ reason: String) async

    /// Requests an action that starts after the call.
    func request(_ need: ExtensionRepairReason) async throws

    /// Whether the person has a browser on this device.
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
