// SPDX-License-Identifier: Apache-2.0
import OAuth
package import Primitives

/// A sign-out of a person in the browser of this device (OpenID Connect RP-Initiated Logout 1.0
/// section 2). Only the browser has the session's cookie, so only a page there can end the session.
package struct BrowserSignOut: Sendable {
    private let endpoint: String
    private let clientID: String
    private let idToken: String
    private let state: String

    /// Returns `nil` if the provider has no page for it.
    ///
    /// - Parameter idToken: The hint that identifies the session; it may have expired.
    package init?(
        directory: ProviderEndpoints, clientID: String, idToken: String, random: any RandomSource
    ) {
        guard let endpoint = directory.endSession else { return nil }
        self.endpoint = endpoint
        self.clientID = clientID
        self.idToken = idToken
        state = Base64URL.encode(random.bytes(16))
    }

    /// Returns the URL of the page to open.
    package func address(redirectURI: String) -> String {
        let parameters = [
            ("id_token_hint", idToken), ("client_id", clientID),
            ("post_logout_redirect_uri", redirectURI), ("state", state),
        ]
        let separator = endpoint.contains("?") ? "&" : "?"
        return endpoint + separator
            + FormEncoding.encode(parameters.map { (name: $0.0, value: $0.1) })
    }

    /// Whether a response belongs to this sign-out; every local process can send one.
    package func isExpected(_ answer: [String: String]) -> Bool {
        guard let state = answer["state"] else { return false }
        return ConstantTime.equal(Array(state.utf8), Array(self.state.utf8))
    }
}
