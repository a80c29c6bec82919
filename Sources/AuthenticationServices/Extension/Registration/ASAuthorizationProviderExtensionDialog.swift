// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Primitives
import SSOExtensions
import SingleSignOn

/// What an extension asks a person. An extension draws nothing here: it says what it needs, and a
/// terminal, a window or a page asks for it.
///
/// Every method throws ``ASAuthorizationError/Code/notInteractive`` before something is shown, and
/// ``ASAuthorizationError/Code/canceled`` when the person gives up.
public struct ASAuthorizationProviderExtensionDialog: Sendable {
    private let request: OpenRequest

    init(_ request: OpenRequest) { self.request = request }

    /// Tells something; waits for nothing.
    public func notice(_ sentence: String) async throws { _ = try await ask(.notice(sentence)) }

    /// Asks for a line.
    public func line(_ question: String) async throws -> String {
        try await text(.line(question))
    }

    /// Asks for a line that is not shown.
    public func secret(_ question: String) async throws -> String {
        try await text(.secret(question))
    }

    /// Asks which one; its index.
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
