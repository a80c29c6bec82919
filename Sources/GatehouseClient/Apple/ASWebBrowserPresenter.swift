// SPDX-License-Identifier: Apache-2.0
// On Linux `AuthenticationServices` is a module of this package, which the SDK does not import.
#if canImport(AuthenticationServices) && !os(Linux) && !os(watchOS) && !os(tvOS)
    public import AuthenticationServices
    import Foundation
    import Synchronization

    /// Shows the page in the system's window for signing in, `ASWebAuthenticationSession`: a browser
    /// that the app cannot look into (RFC 8252 section 8.12).
    ///
    /// ```swift
    /// let presenter = ASWebBrowserPresenter(redirectURI: "com.example.notes:/callback") { window }
    /// try await client.signIn(with: presenter)
    /// ```
    ///
    /// The client needs that address among its redirect URIs. One of a scheme of the app's own needs
    /// nothing else; for `https` the app names `webcredentials:HOST` among its associated domains,
    /// and the host names the app.
    public struct ASWebBrowserPresenter: BrowserPresenter {
        private let redirectURI: String
        private let isEphemeral: Bool
        private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

        /// - Parameters:
        ///   - redirectURI: The redirect URI of the client: `com.example.notes:/callback`, or an
        ///     `https` URL without a query.
        ///   - isEphemeral: Whether the browser starts without a session and deletes its data
        ///     afterwards. Otherwise the system prompts the person before it shares the browser's
        ///     data.
        ///   - anchor: The window before which the page is shown.
        public init(
            redirectURI: String, isEphemeral: Bool = false,
            anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
        ) {
            self.redirectURI = redirectURI
            self.isEphemeral = isEphemeral
            self.anchor = anchor
        }

        /// See ``BrowserPresenter``.
        ///
        /// - Throws: ``IdentityError/Code/cancelled`` when the person closes the window, or the task
        ///   is cancelled, ``IdentityError/Code/configurationInvalid`` for a redirect URI that no
        ///   browser could be sent to, and for a window that the system does not take.
        @MainActor public func answer(to request: BrowserRequest) async throws -> BrowserResponse {
            guard let page = request.url(redirectingTo: redirectURI),
                let callback = Self.callback(of: redirectURI)
            else { throw Self.failure(.configurationInvalid, "\(redirectURI) is no redirect URI") }
            let shown = ShownPage(
                page, until: callback, isEphemeral: isEphemeral, before: anchor())
            let redirect = try await withTaskCancellationHandler {
                try await shown.redirect()
            } onCancel: {
                Task { @MainActor in shown.cancel() }
            }
            guard let parameters = BrowserRequest.parameters(of: redirect) else {
                throw Self.failure(.redirectMismatch, "the browser returned without a redirect")
            }
            return BrowserResponse(parameters: parameters, redirectURI: redirectURI)
        }

        private static func callback(
            of redirectURI: String
        ) -> ASWebAuthenticationSession.Callback? {
            guard let url = URL(string: redirectURI), let scheme = url.scheme?.lowercased() else {
                return nil
            }
            switch scheme {
            case "https":
                guard let host = url.host(percentEncoded: false) else { return nil }
                return .https(host: host, path: url.path(percentEncoded: false))
            // Another app could listen there.
            case "http": return nil
            default: return .customScheme(scheme)
            }
        }

        fileprivate static func failure(
            _ code: IdentityError.Code, _ reason: String, _ underlying: (any Error)? = nil
        ) -> IdentityError {
            IdentityError(.registration, code, reason, underlying: underlying)
        }
    }

    /// A displayed page and its result, which is set once: the system may not call back after the
    /// page was cancelled.
    @MainActor
    private final class ShownPage: NSObject, ASWebAuthenticationPresentationContextProviding {
        private let anchor: ASPresentationAnchor
        private let outcome: Outcome
        private let session: ASWebAuthenticationSession

        init(
            _ page: URL, until callback: ASWebAuthenticationSession.Callback, isEphemeral: Bool,
            before anchor: ASPresentationAnchor
        ) {
            self.anchor = anchor
            let outcome = Outcome()
            self.outcome = outcome
            // The system may call it on any thread.
            session = ASWebAuthenticationSession(url: page, callback: callback) {
                @Sendable redirect, error in
                outcome.finish(ShownPage.result(redirect, error))
            }
            super.init()
            session.prefersEphemeralWebBrowserSession = isEphemeral
            session.presentationContextProvider = self
        }

        func redirect() async throws -> URL {
            try await withCheckedThrowingContinuation { waiter in
                outcome.wait(waiter)
                // If the task was cancelled before, the result exists already and no window
                // appears.
                guard !outcome.isSettled, !session.start() else { return }
                outcome.finish(
                    .failure(
                        ASWebBrowserPresenter.failure(
                            .configurationInvalid, "the system does not display the page")))
            }
        }

        func cancel() {
            outcome.finish(.failure(Self.cancelled("the task was cancelled")))
            session.cancel()
        }

        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
            anchor
        }

        nonisolated private static func result(
            _ redirect: URL?, _ error: (any Error)?
        ) -> Result<URL, any Error> {
            if let redirect { return .success(redirect) }
            if (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin {
                return .failure(cancelled("the person has closed the window"))
            }
            return .failure(
                ASWebBrowserPresenter.failure(
                    .configurationInvalid, "the system does not display the page", error))
        }

        nonisolated private static func cancelled(_ reason: String) -> IdentityError {
            ASWebBrowserPresenter.failure(.cancelled, reason)
        }
    }

    /// A result that is set once, by the first caller.
    private final class Outcome: Sendable {
        private struct State {
            var waiter: CheckedContinuation<URL, any Error>?
            var result: Result<URL, any Error>?
        }

        private let state = Mutex(State())

        var isSettled: Bool { state.withLock { $0.result != nil } }

        func wait(_ waiter: CheckedContinuation<URL, any Error>) {
            let known = state.withLock { state in
                if state.result == nil { state.waiter = waiter }
                return state.result
            }
            if let known { waiter.resume(with: known) }
        }

        func finish(_ result: Result<URL, any Error>) {
            let waiter = state.withLock { state -> CheckedContinuation<URL, any Error>? in
                guard state.result == nil else { return nil }
                state.result = result
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(with: result)
        }
    }
#endif
