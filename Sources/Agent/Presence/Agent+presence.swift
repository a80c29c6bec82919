// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Primitives
import SingleSignOn

/// People's keys that sign only when a security key is touched: where the profile asks for presence.
extension Agent {
    func wantsPresence(of person: String) -> Bool {
        configuration(for: person)?.userKeyPresence == .securityKey
    }

    /// The security key that the person touches, for a key that is about to be made.
    func enrolPresence(
        of person: String, _ conversation: (any AgentConversation)?
    ) async throws -> (credential: PresenceCredential, secret: Secret) {
        let credential = try await present(conversation) {
            (keys, interaction) async throws(SecurityKeyError) in
            try await keys.enrol(person, interaction)
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
        _ body: (PresenceKeys, PresenceInteraction) async throws(SecurityKeyError) -> Value
    ) async throws -> Value {
        guard let securityKeys else { throw AgentRefusal.noSecurityKeys }
        guard let conversation else { throw PINError.needed }
        do throws(SecurityKeyError) {
            return try await body(securityKeys, PresenceInteraction(conversation: conversation))
        } catch {
            guard error != .cancelled else { throw PresentationError.cancelled }
            throw AgentRefusal.securityKey(error)
        }
    }

    /// What opens a key: the PIN that the person types, what their security key says, or both.
    func secret(
        of guarded: KeyGuard, _ person: String, _ conversation: any AgentConversation
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
    /// The touch of a security key, and its PIN or finger.
    case securityKey
    /// A word of another time. It asks for something, so it is not nothing.
    case unknown(String)
}

extension SSOConfiguration {
    /// `user_key_presence` in `ExtensionData`: `security_key`.
    var userKeyPresence: UserKeyPresence {
        guard let value = extensionData?.first(where: { $0.name == "user_key_presence" })?.value
        else { return .none }
        if value.boolean == false { return .none }
        guard let word = value.string else { return .unknown("of another form") }
        return word == "security_key" ? .securityKey : .unknown(String(word.prefix(64)))
    }
}
