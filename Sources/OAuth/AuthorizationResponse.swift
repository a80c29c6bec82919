// SPDX-License-Identifier: Apache-2.0

/// A response of the authorization endpoint to the client (RFC 6749 section 4.1.2, RFC 9207). The
/// URI is one that the client registered.
package struct AuthorizationResponse: Sendable, Equatable {
    package let redirectURI: RedirectURI
    package let mode: ResponseMode
    package let parameters: [Parameter]

    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// A code.
    package init(
        code: String, state: String?, issuer: String, to redirectURI: RedirectURI,
        mode: ResponseMode
    ) {
        self.init([("code", code)], state: state, issuer: issuer, to: redirectURI, mode: mode)
    }

    /// An error.
    package init(
        error: String, description: String, state: String?, issuer: String,
        to redirectURI: RedirectURI, mode: ResponseMode
    ) {
        self.init(
            [("error", error), ("error_description", description)], state: state, issuer: issuer,
            to: redirectURI, mode: mode)
    }

    private init(
        _ first: [(String, String)], state: String?, issuer: String, to redirectURI: RedirectURI,
        mode: ResponseMode
    ) {
        self.redirectURI = redirectURI
        self.mode = mode
        let last = (state.map { [("state", $0)] } ?? []) + [("iss", issuer)]
        parameters = (first + last).map { Parameter(name: $0.0, value: $0.1) }
    }

    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The target of the browser; for `form_post`, the target of the form.
    package var location: String {
        let encoded = FormEncoding.encode(parameters.map { ($0.name, $0.value) })
        switch mode {
        case .query:
            let separator = redirectURI.text.contains("?") ? "&" : "?"
            return redirectURI.text + separator + encoded
        case .fragment: return redirectURI.text + "#" + encoded
        case .formPost: return redirectURI.text
        }
    }
}
