// SPDX-License-Identifier: Apache-2.0
package import IdentityProvider

/// A client's wish that somebody be signed out (RP-initiated logout), as pages see it.
package protocol SignOutFlow: Sendable {
    /// Who asks; `nil` when the question is over or was put to another session.
    func look(_ handle: String, _ request: ServerRequest) async throws -> SignOutPrompt?
    /// After the session has ended: where the client wants the browser, if it may say so.
    func finish(
        _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession?
    ) async throws -> String?
}

package struct SignOutPrompt: Sendable {
    /// The client's name, when it is known.
    package var clientName: String?
    /// The origin that the client wants the browser back at, for `form-action`.
    package var redirectOrigin: String?

    package init(clientName: String?, redirectOrigin: String?) {
        self.clientName = clientName
        self.redirectOrigin = redirectOrigin
    }
}
