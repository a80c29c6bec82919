// SPDX-License-Identifier: Apache-2.0
package import OAuth

/// An authorization request that all rules have validated. Only ``AuthorizationRules`` creates it.
package struct AuthorizationRequest: Sendable {
    package let client: RegisteredClient
    package let redirectURI: RedirectURI
    package let redirectURIWasSent: Bool
    package let mode: ResponseMode
    package let state: String?
    let requestedScope: RequestedScope
    package let nonce: String?
    package let codeChallenge: CodeChallenge?
    /// The thumbprint of the key that the code is bound to (RFC 7638); `nil` for none.
    package let keyThumbprint: String?
    package let prompt: Set<Prompt>
    /// Maximum number of seconds since the person signed in.
    package let maxAge: Int64?
    /// The required or preferred classes of the sign-in.
    package let context: RequestedContext
    package let loginHint: String?
    /// The name of the upstream provider to sign in with; `nil` for the sign-in page.
    package let identityProvider: String?
    /// The `sub` of a valid `id_token_hint`.
    package let hintedSubject: String?
    /// The values of `sub` that `claims` requests; `nil` if it does not restrict the person.
    package let subjects: Set<String>?
    /// The individually requested claims.
    package let claims: ClaimsRequest
    /// The languages that the client requests, best first.
    package let languages: [String]
}

extension AuthorizationRequest {
    package var scope: ScopeSet { requestedScope.granted }

    /// The scopes that need consent. A claim that is requested individually is included as its
    /// scope.
    package var consentScope: ScopeSet {
        let single = (claims.idToken + claims.userInfo)
            .compactMap { PersonClaimsWriter.scope(of: $0.name) }
        return ScopeSet(
            scope.values
                + single.reduce(into: []) { more, name in
                    if !scope.contains(name), !more.contains(name) { more.append(name) }
                })
    }
}

/// A request under validation, which the rules fill in one after the other.
struct AuthorizationDraft: Sendable {
    let parameters: AuthorizationParameters
    var client: RegisteredClient?
    var redirectURI: RedirectURI?
    var mode = ResponseMode.query
    var scope = RequestedScope(granted: ScopeSet(), unknown: ScopeSet())
    var codeChallenge: CodeChallenge?
    var keyThumbprint: String?
    var prompt: Set<Prompt> = []
    var maxAge: Int64?
    var context = RequestedContext()
    var identityProvider: String?
    var hintedSubject: String?
    var subjects: Set<String>?
    var claims = ClaimsRequest()

    /// - Parameter hinted: the subject of an `id_token_hint` of the request.
    init(_ parameters: AuthorizationParameters, hinted: String? = nil) {
        self.parameters = parameters
        hintedSubject = hinted
    }

    /// The parameter, unless it is empty: RFC 6749 section 3.1 treats that as left out.
    subscript(name: AuthorizationParameter) -> String? {
        guard let value = parameters[name], !value.isEmpty else { return nil }
        return value
    }

    /// `nil` unless the client and the redirect URI are known.
    var finished: AuthorizationRequest? {
        guard let client, let redirectURI else { return nil }
        return AuthorizationRequest(
            client: client, redirectURI: redirectURI,
            redirectURIWasSent: self[.redirectURI] != nil, mode: mode, state: self[.state],
            requestedScope: scope, nonce: self[.nonce], codeChallenge: codeChallenge,
            keyThumbprint: keyThumbprint, prompt: prompt, maxAge: maxAge, context: context,
            loginHint: self[.loginHint], identityProvider: identityProvider,
            hintedSubject: hintedSubject, subjects: subjects, claims: claims,
            languages: (self[.languages] ?? "").split(separator: " ").prefix(8).map {
                $0.lowercased()
            })
    }
}
