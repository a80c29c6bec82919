// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
package import ProviderCore

/// A client's request to sign a person out (RP-initiated logout), as pages use it.
package protocol SignOutFlow: Sendable {
    /// Returns the prompt, or `nil` if the request has expired or belongs to another session.
    func look(_ handle: String, _ request: ServerRequest) async throws -> SignOutPrompt?
    /// Finishes the request after the session has ended. Returns the client's redirect URL if it is
    /// allowed.
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
