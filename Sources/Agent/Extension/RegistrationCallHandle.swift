// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn

/// The login manager of one call. What it keeps, it keeps through the agent, and only while the call
/// counts.
struct RegistrationCallHandle: ExtensionLoginManager {
    let agent: Agent
    let attempt: UInt64
    /// What is registered; `nil` in requests of apps.
    var subject: RegistrationSubject?
    let owner: DeviceOwner
    let account: String?
    let extensionData: [PropertyList.Entry]
    let registrationToken: Secret?
    let facts: LocalDeviceAttributes
    let keys: AgentKeyStore
    /// Whether keys that are missing are made: registrations begin with that, requests of apps do not.
    var makesKeys = true
    var authenticationMethod = PlatformSSOAuthenticationMethod.password
    /// What the extension says that it can do; `nil` where it was not asked.
    var abilities: ExtensionDescription?
    /// `nil` where nothing may be shown.
    let conversation: (any AgentConversation)?

    var loginConfiguration: LoginConfiguration? {
        get async { await agent.configuration(of: owner) }
    }

    func deviceKeys() async throws -> DeviceKeyPairs {
        let known = await agent.record.devices[owner]
        guard makesKeys || known != nil else {
            throw KeyStoreError.unusable("the device has none")
        }
        return try await agent.deviceKeys(of: owner, attempt: attempt, fresh: false, subject)
    }

    private var former: DeviceRecord? {
        get async {
            let record = await agent.record
            let former = record.machine.outgoing.compactMap { record.devices[$0] }
            return former.count == 1 ? former.first : nil
        }
    }

    var formerKeys: DeviceKeyPairs? {
        get async {
            await former.map { DeviceKeyPairs(signing: $0.signing, encryption: $0.encryption) }
        }
    }

    var formerPendingKey: AgentKey? {
        get async { await former?.managed.pending[.deviceSigning] }
    }

    func resetDeviceKeys() async throws -> DeviceKeyPairs {
        try await agent.deviceKeys(of: owner, attempt: attempt, fresh: true, subject)
    }

    func userKey() async throws -> AgentKey {
        let known = await agent.record.people[account ?? ""]?.key
        guard makesKeys || known != nil else {
            throw KeyStoreError.unusable("the person has none")
        }
        return try await agent.userKey(of: account, attempt: attempt, fresh: false, conversation)
    }

    func resetUserKey() async throws -> AgentKey {
        let key = try await agent.userKey(
            of: account, attempt: attempt, fresh: true, conversation)
        if case .person? = subject { return key }
        try await request(.personRepair)
        return key
    }

    func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8] {
        try await agent.sign(message, with: key, of: account, attempt: attempt, conversation)
    }

    func agree(_ key: AgentKey, with other: PublicJWK) async throws -> Secret {
        try await keys.agree(key, with: other)
    }

    func attest(_ key: AgentKey, challenge: [UInt8]) async throws -> KeyAttestation? {
        try await agent.attest(key, challenge: challenge, attempt: attempt)
    }

    func endorsement() async throws -> KeyEndorsement? {
        try await agent.endorsement(attempt: attempt)
    }

    func activate(
        _ endorsement: KeyEndorsement, _ credential: SealedCredential
    ) async throws -> Secret {
        try await agent.activate(endorsement, credential, attempt: attempt)
    }

    func saveLoginConfiguration(_ configuration: LoginConfiguration) async throws {
        try configuration.checkFollowed()
        if let obstacle = abilities?.obstacle(to: configuration, method: authenticationMethod) {
            await explain("the extension cannot do what it saved: " + obstacle)
            throw PlatformSSORefusal(.grantUnsupported, obstacle)
        }
        // It is kept beside the keys, which are made at the latest now.
        _ = try await deviceKeys()
        try await agent.save(configuration, of: owner, attempt: attempt)
    }

    func saveUserLoginConfiguration(_ configuration: UserLoginConfiguration) async throws {
        try await agent.save(configuration, of: account, attempt: attempt)
    }

    // MARK: Rotation and certificates

    private var place: KeyOwner { KeyOwner(owner: owner, account: account) }

    func beginRotation(of role: AgentKeyRole) async throws -> AgentKey {
        try await agent.beginRotation(of: role, place, attempt: attempt, conversation)
    }

    func pendingKey(_ role: AgentKeyRole) async -> AgentKey? {
        await agent.managedKeys(place).pending[role]
    }

    func completeRotation(of role: AgentKeyRole) async throws {
        try await agent.completeRotation(of: role, place, attempt: attempt)
    }

    func certificates(of role: AgentKeyRole) async -> [[UInt8]] {
        await agent.managedKeys(place).certificates[role].map { [$0] } ?? []
    }

    func saveCertificate(_ certificate: [UInt8], of role: AgentKeyRole) async throws {
        try await agent.saveCertificate(certificate, of: role, place, attempt: attempt)
    }

    // MARK: The person

    var person: ExtensionPerson? {
        get async {
            guard let account else { return nil }
            return await agent.person(account)
        }
    }

    func saveLoginUserName(_ name: String?) async throws {
        try await agent.save(loginUserName: name, of: account, attempt: attempt)
    }

    func saveTokens(_ tokens: JSONObject?) async throws {
        try await agent.save(tokens: tokens, of: account, attempt: attempt)
    }

    func explain(_ reason: String) async {
        guard let subject else { return await agent.remark(reason, of: account) }
        await agent.explain(reason, subject, attempt: attempt)
    }

    func request(_ need: ExtensionRepairReason) async throws {
        try await agent.note(need, place, attempt: attempt)
    }

    var hasBrowser: Bool { get async { await conversation?.hasBrowser ?? false } }

    func present(_ question: AgentPrompt) async throws -> String {
        guard let conversation else { throw PresentationError.notAllowed }
        return try await conversation.ask(question)
    }
}
