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

    /// The fields of a refresh are not documented; they are taken to be those of a login.
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

    /// `openid offline_access`, what the extension adds, and the purpose when it is to be named.
    ///
    /// - Parameter isAuthorization: Whether an authorization prompt asks.
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

    /// Where people sign in on a page; ``FederationType/none`` where they do not.
    ///
    /// - Parameter isPage: Whether the profile's method is a page, for which the other type stands in.
    package func webLoginType(isPage: Bool) -> FederationType {
        if federationType.isWebLogin { return federationType }
        return isPage && fallbackFederationType.isWebLogin ? fallbackFederationType : .none
    }

    /// `federationUserPreauthenticationURL` for that person (Apple "Performing a preauthentication
    /// request").
    package func preauthenticationURL(user: String) -> String? {
        guard let base = federationUserPreauthenticationURL else { return nil }
        let fields =
            [FormField("user", user)] + customFederationUserPreauthenticationRequestValues
        return base + (base.contains("?") ? "&" : "?")
            + FormEncoding.encode(fields.map { ($0.name, $0.value) })
    }

    /// Where the metadata of a WS-Trust federation are, by the answer of
    /// `federationUserPreauthenticationURL` (Apple "Performing a preauthentication request"); `nil` for an ordinary login with the password.
    ///
    /// - Throws: `malformed`, `claimMissing` when the answer promises an address and has none.
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
