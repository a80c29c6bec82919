// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn

/// The login manager of one call. What it keeps, it keeps through the agent, and only while the call
/// counts.
struct RegistrationCall: ExtensionLoginManager {
    let agent: Agent
    let attempt: UInt64
    let owner: DeviceOwner
    let account: String?
    let extensionData: [PropertyList.Entry]
    let registrationToken: Secret?
    let facts: DeviceFacts
    let keys: KeyStore
    /// `nil` where nothing may be shown.
    let conversation: (any AgentConversation)?

    var loginConfiguration: LoginConfiguration? {
        get async { await agent.configuration(of: owner) }
    }

    func deviceKeys() async throws -> DeviceKeyPairs {
        try await agent.deviceKeys(of: owner, attempt: attempt, fresh: false)
    }

    func resetDeviceKeys() async throws -> DeviceKeyPairs {
        try await agent.deviceKeys(of: owner, attempt: attempt, fresh: true)
    }

    func userKey() async throws -> AgentKey {
        try await agent.userKey(of: account, attempt: attempt, fresh: false)
    }

    func resetUserKey() async throws -> AgentKey {
        try await agent.userKey(of: account, attempt: attempt, fresh: true)
    }

    func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8] {
        try await keys.sign(message, with: key)
    }

    func agree(_ key: AgentKey, with other: PublicJWK) async throws -> Secret {
        try await keys.agree(key, with: other)
    }

    func saveLoginConfiguration(_ configuration: LoginConfiguration) async throws {
        try await agent.save(configuration, of: owner, attempt: attempt)
    }

    func saveUserLoginConfiguration(_ configuration: UserLoginConfiguration) async throws {
        try await agent.save(configuration, of: account, attempt: attempt)
    }

    func present(_ question: AgentQuestion) async throws -> String {
        guard let conversation else { throw PresentationError.notAllowed }
        return try await conversation.ask(question)
    }
}
