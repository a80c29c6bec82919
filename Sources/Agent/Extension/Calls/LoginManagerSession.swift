// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn

/// The login manager of one call of an extension. It saves changes only until the call ends.
struct LoginManagerSession: ExtensionLoginManager {
    let attempt: UInt64
    let place: KeyOwner
    let calls: ExtensionCalls
    let keys: CallKeys
    let record: CallRecord
    let attestation: DeviceKeyAttestation
    let extensionData: [PropertyList.Entry]
    let facts: LocalDeviceAttributes
    let authenticationMethod: PlatformSSOAuthenticationMethod
    /// `nil` if nothing may be shown.
    let conversation: (any AgentConversation)?
    /// The subject of the registration; `nil` in other calls.
    var subject: RegistrationSubject?
    var registrationToken: Secret?
    /// Whether missing keys are made, as registrations do.
    var makesKeys = false
    /// What the extension supports; `nil` if it was not requested.
    var abilities: ExtensionDescription?

    var owner: DeviceOwner { place.owner }

    var account: String? { place.account }

    var loginConfiguration: LoginConfiguration? {
        get async { await record.configuration(of: owner) }
    }

    // MARK: Keys

    func deviceKeys() async throws -> DeviceKeyPairs {
        let known = await keys.device(owner)
        guard makesKeys || known != nil else {
            throw KeyStoreError.unusable("the device has none")
        }
        return try await keys.deviceKeys(of: owner, attempt: attempt, fresh: false, subject)
    }

    var formerKeys: DeviceKeyPairs? {
        get async {
            await keys.formerDevice.map {
                DeviceKeyPairs(signing: $0.signing, encryption: $0.encryption)
            }
        }
    }

    var formerPendingKey: AgentKey? {
        get async { await keys.formerDevice?.managed.pending[.deviceSigning] }
    }

    func resetDeviceKeys() async throws -> DeviceKeyPairs {
        try await keys.deviceKeys(of: owner, attempt: attempt, fresh: true, subject)
    }

    func userKey() async throws -> AgentKey {
        let known = await keys.userKey(of: account)
        guard makesKeys || known != nil else {
            throw KeyStoreError.unusable("the person has none")
        }
        return try await keys.userKey(of: account, attempt: attempt, fresh: false, conversation)
    }

    func resetUserKey() async throws -> AgentKey {
        let key = try await keys.userKey(of: account, attempt: attempt, fresh: true, conversation)
        if case .person? = subject { return key }
        try await request(.personRepair)
        return key
    }

    func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8] {
        try await keys.sign(message, with: key, of: account, attempt: attempt, conversation)
    }

    func agree(_ key: AgentKey, with other: PublicJWK) async throws -> Secret {
        try await keys.keys.agree(key, with: other)
    }

    // MARK: Attestation

    func attest(_ key: AgentKey, challenge: [UInt8]) async throws -> KeyAttestation? {
        try await attestation.attest(key, challenge: challenge, attempt: attempt)
    }

    func endorsement() async throws -> KeyEndorsement? {
        try await attestation.endorsement(attempt: attempt)
    }

    func activate(
        _ endorsement: KeyEndorsement, _ credential: SealedCredential
    ) async throws -> Secret {
        try await attestation.activate(endorsement, credential, attempt: attempt)
    }

    // MARK: Configurations

    func saveLoginConfiguration(_ configuration: LoginConfiguration) async throws {
        try configuration.checkFollowed()
        if let obstacle = abilities?.obstacle(to: configuration, method: authenticationMethod) {
            await explain("the extension cannot do what it saved: " + obstacle)
            throw PlatformSSORefusal(.grantUnsupported, obstacle)
        }
        // The configuration is saved together with the keys, so that these are made now.
        _ = try await deviceKeys()
        try await record.save(configuration, of: owner, attempt: attempt)
    }

    func saveUserLoginConfiguration(_ configuration: UserLoginConfiguration) async throws {
        try await record.save(configuration, of: account, attempt: attempt)
    }

    // MARK: Rotation and certificates

    func beginRotation(of role: AgentKeyRole) async throws -> AgentKey {
        try await keys.beginRotation(of: role, place, attempt: attempt, conversation)
    }

    func pendingKey(_ role: AgentKeyRole) async -> AgentKey? {
        await keys.managedKeys(place).pending[role]
    }

    func completeRotation(of role: AgentKeyRole) async throws {
        try await keys.completeRotation(of: role, place, attempt: attempt)
    }

    func certificates(of role: AgentKeyRole) async -> [[UInt8]] {
        await keys.managedKeys(place).certificates[role].map { [$0] } ?? []
    }

    func saveCertificate(_ certificate: [UInt8], of role: AgentKeyRole) async throws {
        try await keys.saveCertificate(certificate, of: role, place, attempt: attempt)
    }

    // MARK: The person

    var person: ExtensionPerson? {
        get async {
            guard let account else { return nil }
            return await record.person(account)
        }
    }

    func saveLoginUserName(_ name: String?) async throws {
        try await record.save(loginUserName: name, of: account, attempt: attempt)
    }

    func saveTokens(_ tokens: JSONObject?) async throws {
        try await record.save(tokens: tokens, of: account, attempt: attempt)
    }

    func explain(_ reason: String) async {
        guard let subject else { return await calls.remark(reason, of: account) }
        await calls.explain(reason, subject, attempt: attempt)
    }

    func request(_ need: ExtensionRepairReason) async throws {
        try await record.request(need, place, attempt: attempt)
    }

    var hasBrowser: Bool { get async { await conversation?.hasBrowser ?? false } }

    func present(_ question: AgentPrompt) async throws -> String {
        guard let conversation else { throw PresentationError.notAllowed }
        return try await conversation.ask(question)
    }
}
