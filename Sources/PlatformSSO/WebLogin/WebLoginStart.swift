// SPDX-License-Identifier: Apache-2.0
package import JOSE
import OAuth

/// The start of a web login of macOS 27: a URL to open, and the claims of the request if the
/// provider requires a signature.
package struct WebLoginStart: Sendable, Equatable {
    package let authorizationURL: String
    /// The request to sign and to post, from the discovery response of `dynamicOpenID`.
    package let request: JSONObject?
    /// Must be returned in the ``WebLoginCallback``.
    package let state: String

    /// Creates a start from the configured URL or from a discovery response.
    ///
    /// - Throws: `redirectMismatch` if the URL is neither https nor loopback; `claimMissing`
    ///   without a state.
    package init(
        authorizationURL: String, request: JSONObject? = nil
    ) throws(PlatformSSORefusal) {
        guard Self.isProtected(authorizationURL) else {
            throw
                PlatformSSORefusal(.redirectMismatch, "the address is not https")
        }
        self.authorizationURL = authorizationURL
        self.request = request
        let fields = Self.split(authorizationURL).fields
        let state = request?["state"]?.string ?? fields.first { $0.name == "state" }?.value
        guard let state, !state.isEmpty else {
            throw PlatformSSORefusal(.claimMissing, "the authorization request has no state")
        }
        self.state = state
    }

    /// Reads the response of `federationUserPreauthenticationURL`.
    ///
    /// - Parameter keyPath: `authorizationURLKeypath`.
    package init(
        discovery body: [UInt8], keyPath: String
    ) throws(PlatformSSORefusal) {
        let answer = try MessageClaims(payload: body)
        guard let path = JSONKeyPath(keyPath),
            let url = path.value(in: .object(answer.members))?.string
        else { throw PlatformSSORefusal(.claimMissing, "no address at \(keyPath)") }
        try self.init(
            authorizationURL: url, request: answer.members["authorizationRequest"]?.object)
    }

    /// From the address in a configuration, which is the same each time: its state is made here, and
    /// what makes it an authorization request (RFC 6749 section 4.1.1) is added where it is missing.
    ///
    /// - Throws: `redirectMismatch`.
    package init(
        configured authorizationURL: String, clientID: String, state: String
    ) throws(PlatformSSORefusal) {
        var (base, fields) = Self.split(authorizationURL)
        fields.removeAll { $0.name == "state" }
        let needed = [FormField("client_id", clientID), FormField("response_type", "code")]
        fields += needed.filter { field in !fields.contains { $0.name == field.name } }
        fields.append(FormField("state", state))
        base += "?" + FormEncoding.encode(fields.map { ($0.name, $0.value) })
        try self.init(authorizationURL: base)
    }

    /// Returns the URL to open without a signed request. It replaces redirect and person in the
    /// URL, and adds to the scope.
    package func url(
        loginHint: String, scope: String, redirectURI: String = WebLoginCallback.address
    ) -> String {
        let (base, fields) = Self.split(authorizationURL)
        let stated = fields.first { $0.name == "scope" }?.value
        let forced = [
            FormField("redirect_uri", redirectURI), FormField("login_hint", loginHint),
            FormField("scope", Self.merge(stated, scope)),
        ]
        let kept = fields.filter { field in !forced.contains { $0.name == field.name } }
        return base + "?" + FormEncoding.encode((kept + forced).map { ($0.name, $0.value) })
    }

    /// Returns the claims to sign, if the provider requires a signature.
    package func claims(
        loginHint: String, scope: String, redirectURI: String = WebLoginCallback.address
    ) -> JSONObject? {
        guard var claims = request else { return nil }
        claims["redirect_uri"] = .string(redirectURI)
        claims["login_hint"] = .string(loginHint)
        claims["scope"] = .string(Self.merge(claims["scope"]?.string, scope))
        return claims
    }

    private static func merge(_ stated: String?, _ added: String) -> String {
        let first = stated.flatMap { ScopeSet($0) } ?? ScopeSet()
        return first.union(ScopeSet(added) ?? ScopeSet()).text
    }

    private static func isProtected(_ url: String) -> Bool {
        guard url.utf8.count <= 8192, !url.contains("#") else { return false }
        return url.hasPrefix("https://") || RedirectURI(url)?.scheme == "http"
    }

    private static func split(_ url: String) -> (base: String, fields: [FormField]) {
        guard let mark = url.firstIndex(of: "?") else { return (url, []) }
        return (
            String(url[..<mark]), QueryText.fields(url[url.index(after: mark)...]) ?? []
        )
    }
}
