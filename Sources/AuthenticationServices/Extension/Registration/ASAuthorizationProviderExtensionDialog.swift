// SPDX-License-Identifier: Apache-2.0
import Primitives
import SSOExtensions
import SingleSignOn

/// A dialog of an extension with a person. An extension has no user interface here: it sends texts
/// and prompts, and a terminal, a window or a page displays them.
///
/// Every method throws ``ASAuthorizationError/Code/notInteractive`` before something is displayed,
/// and ``ASAuthorizationError/Code/canceled`` if the person cancels.
public struct ASAuthorizationProviderExtensionDialog: Sendable {
    private let request: OpenRequest

    init(_ request: OpenRequest) { self.request = request }

    /// Displays a sentence without waiting.
    public func notice(_ sentence: String) async throws { _ = try await ask(.notice(sentence)) }

    /// Prompts for a line.
    public func line(_ question: String) async throws -> String {
        try await text(.line(question))
    }

    /// Prompts for a line without displaying the input.
    public func secret(_ question: String) async throws -> String {
        try await text(.secret(question))
    }

    /// Prompts for a choice and returns its index.
    ///
    /// - Parameter choices: 1 to 64.
    public func choose(_ question: String, from choices: [String]) async throws -> Int {
        guard 1...ExtensionPrompt.maximumChoices ~= choices.count,
            case .choice(let index) = try await ask(.choice(question, choices))
        else { throw ASAuthorizationError(.failed, "There must be 1 to 64 choices.") }
        return index
    }

    /// Has the person open a page, here or on a phone.
    ///
    /// - Parameter code: what they are to type there.
    public func open(_ page: URL, code: String? = nil) async throws {
        _ = try await ask(.page(url: page.absoluteString, code: code))
    }

    private func text(_ question: ExtensionPrompt) async throws -> String {
        guard case .text(let text) = try await ask(question) else { return "" }
        return text.revealText()
    }

    private func ask(
        _ question: ExtensionPrompt
    ) async throws(ASAuthorizationError) -> ExtensionCallResponse {
        do throws(ExtensionCallRefusal) { return try await request.perform(.ask(question)) } catch {
            throw ASAuthorizationError(error)
        }
    }
}
