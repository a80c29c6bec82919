// SPDX-License-Identifier: Apache-2.0
import JOSE
package import OAuth

extension LoginConfiguration {
    // MARK: Where requests go

    package var nonceURL: String { nonceEndpointURL ?? tokenEndpointURL }
    package var keyURL: String { keyEndpointURL ?? tokenEndpointURL }

    // MARK: Forms

    package var nonceForm: [FormField] {
        [FormField("grant_type", GrantType.nonceRequest)] + customNonceRequestValues
    }

    package func loginForm(_ message: [UInt8]) -> [FormField] {
        form(.v1, message) + customLoginRequestValues
    }

    /// The fields of a refresh are undocumented; they are assumed to be those of a login.
    package func refreshForm(_ message: [UInt8]) -> [FormField] {
        form(.v1, message) + customRefreshRequestValues
    }

    package func keyRequestForm(_ message: [UInt8]) -> [FormField] {
        form(.v2, message) + customKeyRequestValues
    }

    package func keyExchangeForm(_ message: [UInt8]) -> [FormField] {
        form(.v2, message) + customKeyExchangeRequestValues
    }

    private func form(_ version: ProtocolVersion, _ message: [UInt8]) -> [FormField] {
        RequestForm.fields(version, message: message, parameter: customRequestJWTParameterName)
    }

    // MARK: Scope

    /// Returns `openid offline_access`, the extension's additions, and the purpose if it is
    /// required.
    ///
    /// - Parameter isAuthorization: Whether the request belongs to an authorization prompt.
    package func scope(
        purpose: AuthorizationScope?, isAuthorization: Bool = false
    ) -> ScopeSet {
        var scope = ScopeSet(["openid", "offline_access"])
        scope = scope.union(ScopeSet(additionalScopes) ?? ScopeSet())
        if isAuthorization, let more = additionalAuthorizationScopes.flatMap({ ScopeSet($0) }) {
            scope = scope.union(more)
        }
        return purpose.map { scope.union(ScopeSet([$0.scope])) } ?? scope
    }

    // MARK: Federation

    /// Returns the type of the web login; ``FederationType/none`` if people do not sign in on a
    /// page.
    ///
    /// - Parameter isPage: Whether the profile's method is a page, which allows the fallback type.
    package func webLoginType(isPage: Bool) -> FederationType {
        if federationType.isWebLogin { return federationType }
        return isPage && fallbackFederationType.isWebLogin ? fallbackFederationType : .none
    }

    /// Returns `federationUserPreauthenticationURL` for that person (Apple "Performing a
    /// preauthentication request").
    package func preauthenticationURL(user: String) -> String? {
        guard let base = federationUserPreauthenticationURL else { return nil }
        let fields =
            [FormField("user", user)] + customFederationUserPreauthenticationRequestValues
        return base + (base.contains("?") ? "&" : "?")
            + FormEncoding.encode(fields.map { ($0.name, $0.value) })
    }

    /// Returns the URL of the metadata of a WS-Trust federation from the response of
    /// `federationUserPreauthenticationURL` (Apple "Performing a preauthentication request"); `nil`
    /// for an ordinary login with the password.
    ///
    /// - Throws: `malformed`; `claimMissing` if the response announces a URL and does not contain
    ///   it.
    package func federationMetadataURL(
        preauthentication body: [UInt8]
    ) throws(PlatformSSORefusal) -> String? {
        let answer = JSONValue.object(try MessageClaims(payload: body).members)
        guard federationPredicate?.holds(for: answer) == true else { return nil }
        guard let path = JSONKeyPath(federationMEXURLKeypath),
            let url = path.value(in: answer)?.string, url.hasPrefix("https://")
        else {
            throw PlatformSSORefusal(.claimMissing, "no https address at the key path")
        }
        return url
    }
}
