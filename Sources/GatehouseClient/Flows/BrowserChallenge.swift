// SPDX-License-Identifier: Apache-2.0
import UserClient

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A page of the provider is to be shown to the person, in a browser of the system and not in a
/// view of the app's (RFC 8252 section 8.12).
public final class BrowserChallenge: Sendable {
    /// The response of a browser, and its redirect URI.
    struct Response: Sendable {
        let parameters: [String: String]
        let redirectURI: String
    }

    private let request: BrowserRequest
    private let redirectURI: String?
    private let continuation: OneShotContinuation<Response>

    init(request: BrowserRequest, redirectURI: String?, continuation: OneShotContinuation<Response>)
    {
        self.request = request
        self.redirectURI = redirectURI
        self.continuation = continuation
    }

    deinit { continuation.abandon() }

    /// The page, when the answer comes to ``ClientConfiguration/redirectURI``; `nil` without one.
    public var url: URL? { redirectURI.flatMap { request.url(redirectingTo: $0) } }

    /// Shows the page and answers with what comes back.
    public func present(with presenter: some BrowserPresenter) async throws {
        do {
            let answer = try await presenter.answer(to: request)
            try respond(answer.parameters, redirectURI: answer.redirectURI)
        } catch {
            continuation.abandon()
            throw error
        }
    }

    /// Answers with the address to which the browser was sent back.
    ///
    /// - Throws: ``IdentityError/Code/redirectMismatch`` if it belongs to another ceremony. The
    ///   challenge stays open, because other programs can open such a URL.
    public func respond(with redirect: URL) throws(IdentityError) {
        guard let redirectURI, let parameters = BrowserRequest.parameters(of: redirect) else {
            throw IdentityError(
                .registration, .redirectMismatch, "the URL is not the redirect of this ceremony")
        }
        try respond(parameters, redirectURI: redirectURI)
    }

    private func respond(
        _ parameters: [String: String], redirectURI: String
    ) throws(IdentityError) {
        guard request.isExpected(parameters) else {
            throw IdentityError(
                .registration, .redirectMismatch, "the response belongs to another ceremony")
        }
        try continuation.respond(
            Response(parameters: parameters, redirectURI: redirectURI), in: .registration)
    }

    /// Cancels. The provider stores nothing before the response.
    public func cancel() { continuation.abandon() }
}

/// The page of one ceremony, and which answers belong to it.
public struct BrowserRequest: Sendable {
    private let address: @Sendable (_ redirectURI: String) -> String
    private let expects: @Sendable ([String: String]) -> Bool

    /// - Parameters:
    ///   - keyThumbprint: The thumbprint of the key for the token request; `nil` if tokens are not
    ///     bound.
    ///   - options: Further parameters of the request.
    init(
        _ ceremony: BrowserSignIn, scope: String, keyThumbprint: String?,
        options: [String: String]
    ) {
        let options = options.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        address = {
            ceremony.address(
                scope: scope, redirectURI: $0, keyThumbprint: keyThumbprint, options: options)
        }
        expects = ceremony.isExpected
    }

    init(_ ceremony: BrowserSignOut) {
        address = ceremony.address(redirectURI:)
        expects = ceremony.isExpected
    }

    /// The page, for answers that go to that address.
    public func url(redirectingTo redirectURI: String) -> URL? {
        URL(string: address(redirectURI))
    }

    /// Whether an answer belongs to this ceremony; anyone on the machine can make one up.
    public func isExpected(_ parameters: [String: String]) -> Bool { expects(parameters) }

    /// The parameters in an address's query; `nil` when one comes twice or cannot be read.
    public static func parameters(of redirect: URL) -> [String: String]? {
        let text = redirect.absoluteString
        guard let mark = text.firstIndex(of: "?") else { return nil }
        let query = text[text.index(after: mark)...].prefix { $0 != "#" }
        return CallbackQuery.read(target: "/callback?" + query)
    }
}
