// SPDX-License-Identifier: Apache-2.0
/// Shows authorizations to a person and asks what they need: a terminal, a window, a test.
///
/// ``begin(_:cancel:)`` comes first and ``end(_:)`` last, both once; a request for a security key
/// always shows something. When the authorization is over, questions that are still open must be
/// answered with `nil`.
public protocol AuthorizationPresenter: Sendable {
    /// Shows who asks for what.
    ///
    /// - Parameter cancel: to be called when the person gives up, whatever is shown then.
    /// - Throws: when nobody can be asked; the request then fails with
    ///   ``ASAuthorizationError/Code/notInteractive``.
    func begin(_ sheet: AuthorizationSheet, cancel: @escaping @Sendable () -> Void) async throws

    /// Tells the person what to do now, such as to touch a key.
    func show(_ notice: AuthorizationInstruction) async

    /// Asks for the PIN of a key; `nil` when the person gives up. Must not show it.
    func enterPIN(_ question: AuthorizationPINPrompt) async -> String?

    /// Asks which one; its index, or `nil` when the person gives up.
    func choose(_ question: String, from choices: [String]) async -> Int?

    /// Takes everything away.
    func end(_ outcome: AuthorizationOutcome) async
}

/// Who asks for what. All text that comes from the app is without control characters.
public struct AuthorizationSheet: Sendable, Equatable {
    /// What it is for.
    public enum Purpose: Sendable, Equatable {
        /// A new credential, for this account of this person.
        case registration(account: String, person: String?)
        /// A sign-in.
        case signIn
    }

    /// The domain.
    public let relyingParty: String
    /// What it is for.
    public let purpose: Purpose
    /// Whether a security key can be used.
    public let usesSecurityKey: Bool

    init(relyingParty: String, purpose: Purpose, usesSecurityKey: Bool) {
        self.relyingParty = ShownText.safe(relyingParty)
        self.usesSecurityKey = usesSecurityKey
        self.purpose =
            switch purpose {
            case .registration(let account, let person):
                .registration(
                    account: ShownText.safe(account), person: person.map { ShownText.safe($0) })
            case .signIn: .signIn
            }
    }
}

/// What a person is to do or to know.
public struct AuthorizationInstruction: Sendable, Equatable {
    /// What it is about, for a picture beside the text.
    public enum Kind: Sendable, Equatable {
        case insertKey, touch, verify, failure, working
    }

    /// What it is about.
    public let kind: Kind
    /// What to do, in a sentence.
    public let text: String
}

/// Asks for a PIN.
public struct AuthorizationPINPrompt: Sendable, Equatable {
    /// What the key calls itself.
    public let key: String
    /// Whether a new PIN is to be made up, because the key has none or wants another.
    public let isNew: Bool
    /// The fewest characters of a new PIN.
    public let minimumLength: Int
    /// What was wrong with the one before, with the tries that are left.
    public let problem: String?
}

/// How it ended.
public enum AuthorizationOutcome: Sendable, Equatable {
    /// Well.
    case succeeded(AuthorizationSheet.Purpose)
    /// The person or the app gave up.
    case canceled
    /// Why not, in a sentence.
    case failed(String)
}
