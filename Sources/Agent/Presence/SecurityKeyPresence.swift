// SPDX-License-Identifier: Apache-2.0
import AgentClient
import CTAP
import Primitives

/// Has a person touch their security key, for a key that signs only then.
struct SecurityKeyPresence: Sendable {
    /// `nil` if the device cannot use security keys.
    let keys: PresenceKeys?

    /// Makes the credential for a new key of the person.
    ///
    /// - Parameter isVerified: Whether the security key verifies the person by PIN or finger.
    func enrol(
        _ person: String, isVerified: Bool, _ conversation: (any AgentConversation)?
    ) async throws -> (credential: PresenceCredential, secret: Secret) {
        let credential = try await present(conversation) {
            (keys, interaction) async throws(SecurityKeyError) in
            try await keys.enrol(person, isVerified: isVerified, interaction)
        }
        return (credential, try await secret(of: credential, conversation))
    }

    /// Returns the secret of a credential after a touch.
    func secret(
        of credential: PresenceCredential, _ conversation: (any AgentConversation)?
    ) async throws -> Secret {
        try await present(conversation) { (keys, interaction) async throws(SecurityKeyError) in
            try await keys.secret(credential, interaction)
        }
    }

    private func present<Value: Sendable>(
        _ conversation: (any AgentConversation)?,
        _ body:
            @escaping @Sendable (PresenceKeys, PresenceInteraction)
            async throws(SecurityKeyError) -> Value
    ) async throws -> Value {
        guard let keys else { throw AgentRefusal.noSecurityKeys }
        guard let conversation else { throw KeyPINError.needed }
        let result = await Self.whilePresent(conversation) {
            do throws(SecurityKeyError) {
                let interaction = PresenceInteraction(conversation: conversation)
                return .success(try await body(keys, interaction))
            } catch { return .failure(error) }
        }
        switch result {
        case .success(let value): return value
        case .failure(.cancelled): throw PresentationError.cancelled
        case .failure(let error): throw AgentRefusal.securityKey(error)
        }
    }

    /// Cancels the ceremony at the security key when the conversation ends, so that the next ceremony may
    /// start.
    private static func whilePresent<Value: Sendable>(
        _ conversation: any AgentConversation,
        _ ceremony: @escaping @Sendable () async -> Result<Value, SecurityKeyError>
    ) async -> Result<Value, SecurityKeyError> {
        await withTaskGroup(of: Result<Value, SecurityKeyError>?.self) { group in
            group.addTask { await ceremony() }
            group.addTask {
                await conversation.end()
                return nil
            }
            let first = await group.next().flatMap { $0 }
            group.cancelAll()
            return first ?? .failure(.cancelled)
        }
    }
}

extension AgentRefusal {
    static func securityKey(_ error: SecurityKeyError) -> Self {
        switch error {
        // The sentence of the error is about websites.
        case .noCredential:
            Self("security_key_failed", "this is not the security key of that key of yours")
        case .verificationUnavailable:
            Self("security_key_failed", "this security key has neither a PIN nor a fingerprint")
        default: Self("security_key_failed", error.sentence)
        }
    }
}
