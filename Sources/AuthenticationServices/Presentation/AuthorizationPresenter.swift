// SPDX-License-Identifier: Apache-2.0
/// A presenter of authorizations and prompts to a person: a terminal, a window, a test.
///
/// ``begin(_:cancel:)`` is called first and ``end(_:)`` last, both once; a request for a security
/// key always displays something. At the end of the authorization, open prompts must return `nil`.
public protocol AuthorizationPresenter: Sendable {
    /// Displays the caller and the purpose.
    ///
    /// - Parameter cancel: Must be called if the person cancels, at any time.
    /// - Throws: If interaction is not possible; the request then fails with
    ///   ``ASAuthorizationError/Code/notInteractive``.
    func begin(_ sheet: AuthorizationSheet, cancel: @escaping @Sendable () -> Void) async throws

    /// Displays an instruction to the person, such as to touch a key.
    func show(_ notice: AuthorizationInstruction) async

    /// Prompts for the PIN of a key; `nil` if the person cancels. Must not display it.
    func enterPIN(_ question: AuthorizationPINPrompt) async -> String?

    /// Prompts for a choice and returns its index, or `nil` if the person cancels.
    func choose(_ question: String, from choices: [String]) async -> Int?

    /// Closes the user interface.
    func end(_ outcome: AuthorizationOutcome) async
}

/// The caller and the purpose of an authorization. Text from the app has no control characters.
public struct AuthorizationSheet: Sendable, Equatable {
    /// The purpose.
    public enum Purpose: Sendable, Equatable {
        /// A new credential, for this account of this person.
        case registration(account: String, person: String?)
        /// A sign-in.
        case signIn
    }

    /// The domain.
    public let relyingParty: String
    /// The purpose.
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

/// An instruction or information for the person.
public struct AuthorizationInstruction: Sendable, Equatable {
    /// The kind, for a picture next to the text.
    public enum Kind: Sendable, Equatable {
        case insertKey, touch, verify, failure, working
    }

    /// The kind.
    public let kind: Kind
    /// The instruction, in a sentence.
    public let text: String
}

/// A prompt for a PIN.
public struct AuthorizationPINPrompt: Sendable, Equatable {
    /// The name of the key.
    public let key: String
    /// Whether a new PIN is to be chosen, because the key has none or requires another.
    public let isNew: Bool
    /// The fewest characters of a new PIN.
    public let minimumLength: Int
    /// The error of the previous entry, with the remaining attempts.
    public let problem: String?
}

/// The result of an authorization.
public enum AuthorizationOutcome: Sendable, Equatable {
    /// Well.
    case succeeded(AuthorizationSheet.Purpose)
    /// The person or the app gave up.
    case canceled
    /// The reason, in a sentence.
    case failed(String)
}
