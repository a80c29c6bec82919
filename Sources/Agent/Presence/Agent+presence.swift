// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Primitives
import SingleSignOn

/// People's keys that sign only when a security key is touched: where the profile asks for presence.
extension Agent {
    func presenceWanted(of person: String) -> UserKeyPresence {
        configuration(for: person)?.userKeyPresence ?? .none
    }

    func wantsPresence(of person: String) -> Bool {
        [.touch, .securityKey].contains(presenceWanted(of: person))
    }

    /// Whether what stands before a key is at least what is wanted.
    func isPresent(_ credential: PresenceCredential?, for person: String) -> Bool {
        switch presenceWanted(of: person) {
        case .none, .unknown: true
        case .touch: credential != nil
        case .securityKey: credential?.isVerified == true
        }
    }

    /// The security key that the person touches, for a key that is about to be made.
    func enrolPresence(
        of person: String, _ conversation: (any AgentConversation)?
    ) async throws -> (credential: PresenceCredential, secret: Secret) {
        let isVerified = presenceWanted(of: person) == .securityKey
        let credential = try await present(conversation) {
            (keys, interaction) async throws(SecurityKeyError) in
            try await keys.enrol(person, isVerified: isVerified, interaction)
        }
        return (credential, try await presence(credential, conversation))
    }

    private func presence(
        _ credential: PresenceCredential, _ conversation: (any AgentConversation)?
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
        guard let securityKeys else { throw AgentRefusal.noSecurityKeys }
        guard let conversation else { throw KeyPINError.needed }
        let result = await Self.whileThere(conversation) {
            do throws(SecurityKeyError) {
                let interaction = PresenceInteraction(conversation: conversation)
                return .success(try await body(securityKeys, interaction))
            } catch { return .failure(error) }
        }
        switch result {
        case .success(let value): return value
        case .failure(.cancelled): throw PresentationError.cancelled
        case .failure(let error): throw AgentRefusal.securityKey(error)
        }
    }

    /// Whoever hangs up touches nothing any more: their security key is told at once, and the next may
    /// be asked.
    private static func whileThere<Value: Sendable>(
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

    /// What opens a key: the PIN that the person types, what their security key says, or both.
    func secret(
        of guarded: KeyProtection, _ person: String, _ conversation: any AgentConversation
    ) async throws -> Secret {
        var pin: Secret?
        if guarded.asksPIN { pin = Secret(try await conversation.ask(.secret(question(person)))) }
        var touch: Secret?
        if let credential = guarded.presence {
            touch = try await presence(credential, conversation)
        }
        return Self.opening(pin, touch)
    }

    static func opening(_ pin: Secret?, _ touch: Secret?) -> Secret {
        guard let touch else { return pin ?? Secret("") }
        return touch.withBytes { touch in
            let typed = pin?.reveal() ?? []
            let all = Array("gatehouse presence".utf8) + [0] + Array(touch) + typed
            return Secret(Base64URL.encode(Array(SHA256.hash(data: all))))
        }
    }
}

extension AgentRefusal {
    static func securityKey(_ error: SecurityKeyError) -> Self {
        switch error {
        // Said of sites, and here is none.
        case .noCredential:
            Self("security_key_failed", "this is not the security key of that key of yours")
        case .verificationUnavailable:
            Self("security_key_failed", "this security key has neither a PIN nor a fingerprint")
        default: Self("security_key_failed", error.sentence)
        }
    }
}

/// What a profile asks for before a person's key signs.
enum UserKeyPresence: Sendable, Equatable {
    case none
    /// The touch of a security key, by whoever has it.
    case touch
    /// The touch of a security key, and its PIN or finger.
    case securityKey
    /// A word of another time. It asks for something, so it is not nothing.
    case unknown(String)
}

extension SSOConfiguration {
    /// `user_key_presence` in `ExtensionData`: `security_key` or `security_key_touch`.
    var userKeyPresence: UserKeyPresence {
        guard let value = extensionData?.first(where: { $0.name == "user_key_presence" })?.value
        else { return .none }
        if value.boolean == false { return .none }
        guard let word = value.string else { return .unknown("of another form") }
        return switch word {
        case "security_key": .securityKey
        case "security_key_touch": .touch
        default: .unknown(String(word.prefix(64)))
        }
    }
}
