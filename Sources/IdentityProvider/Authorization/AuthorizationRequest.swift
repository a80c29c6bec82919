// SPDX-License-Identifier: Apache-2.0
package import OAuth
import Primitives
import Storage

/// An authorization request whose every part the rules have looked at. Only
/// ``AuthorizationRules`` makes it.
package struct AuthorizationRequest: Sendable {
    package let client: RegisteredClient
    package let redirectURI: RedirectURI
    package let redirectURIWasSent: Bool
    package let mode: ResponseMode
    package let state: String?
    let requestedScope: RequestedScope
    package let nonce: String?
    package let codeChallenge: CodeChallenge?
    /// Of the key that the code is bound to (RFC 7638); `nil` for none.
    package let keyThumbprint: String?
    package let prompt: Set<Prompt>
    /// Seconds since the person signed in, at most.
    package let maxAge: Int64?
    /// How the person must, or had better, have signed in.
    package let context: RequestedContext
    package let loginHint: String?
    /// The `sub` of a genuine `id_token_hint`.
    package let hintedSubject: String?
    /// Who may be signed in, as `claims` asks for `sub`; `nil` when anyone may.
    package let subjects: Set<String>?
    /// Claims that are asked for one by one.
    package let claims: ClaimsRequest
    /// Languages the client asks for, best first.
    package let languages: [String]
}

extension AuthorizationRequest {
    package var scope: ScopeSet { requestedScope.granted }

    /// What the person is asked to allow: single claims are asked for as their scopes.
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

/// What the rules fill in, one after the other.
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
    var hintedSubject: String?
    var subjects: Set<String>?
    var claims = ClaimsRequest()

    /// - Parameter hinted: what an `id_token_hint` said that came with the request.
    init(_ parameters: AuthorizationParameters, hinted: String? = nil) {
        self.parameters = parameters
        hintedSubject = hinted
    }

    /// The parameter, unless it is empty: RFC 6749 section 3.1 treats that as left out.
    subscript(name: AuthorizationParameter) -> String? {
        guard let value = parameters[name], !value.isEmpty else { return nil }
        return value
    }

    /// `nil` unless client and address are known.
    var finished: AuthorizationRequest? {
        guard let client, let redirectURI else { return nil }
        return AuthorizationRequest(
            client: client, redirectURI: redirectURI,
            redirectURIWasSent: self[.redirectURI] != nil, mode: mode, state: self[.state],
            requestedScope: scope, nonce: self[.nonce], codeChallenge: codeChallenge,
            keyThumbprint: keyThumbprint, prompt: prompt, maxAge: maxAge, context: context,
            loginHint: self[.loginHint],
            hintedSubject: hintedSubject,
            subjects: subjects, claims: claims,
            languages: (self[.languages] ?? "").split(separator: " ").prefix(8).map {
                $0.lowercased()
            })
    }
}
