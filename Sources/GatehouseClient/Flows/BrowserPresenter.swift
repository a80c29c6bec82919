// SPDX-License-Identifier: Apache-2.0
import UserClient

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A presenter that displays a page in a browser and waits for the redirect.
public protocol BrowserPresenter: Sendable {
    /// - Throws: ``IdentityError/Code/cancelled`` when the person closes the window.
    func answer(to request: BrowserRequest) async throws -> BrowserResponse
}

/// The response of a browser.
public struct BrowserResponse: Sendable {
    /// The parameters of the redirect.
    public let parameters: [String: String]
    /// The redirect URI.
    public let redirectURI: String

    /// Creates a response. For presenters of the app.
    public init(parameters: [String: String], redirectURI: String) {
        self.parameters = parameters
        self.redirectURI = redirectURI
    }
}

/// Waits for the answer on a free port of 127.0.0.1: for terminals and for Linux (RFC 8252
/// section 7.3). The client needs `http://127.0.0.1/callback` among its redirect URIs.
public struct LoopbackPresenter: BrowserPresenter {
    private let open: @Sendable (URL) async -> Void

    /// - Parameter open: Shows the address, or opens a browser at it.
    public init(open: @escaping @Sendable (URL) async -> Void) { self.open = open }

    /// See ``BrowserPresenter``.
    public func answer(to request: BrowserRequest) async throws -> BrowserResponse {
        let listener = try await LoopbackListener.start { request.isExpected($0) }
        let parameters: [String: String]?
        if let url = request.url(redirectingTo: listener.redirectURI) {
            await open(url)
            parameters = await listener.answer()?.parameters
        } else {
            parameters = nil
        }
        await listener.stop()
        guard let parameters else {
            throw IdentityError(
                .registration, .cancelled, "the wait for the redirect was cancelled")
        }
        return BrowserResponse(parameters: parameters, redirectURI: listener.redirectURI)
    }
}
