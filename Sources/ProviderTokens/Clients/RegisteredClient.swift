// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import OAuth
package import Storage

/// A client with its parsed metadata. Caching it saves the parsing on each request.
package final class RegisteredClient: Sendable {
    package let client: Client
    /// The scopes that it may request.
    package let scope: ScopeSet
    /// The scopes that it may have without a person.
    package let machineScope: ScopeSet
    package let redirectURIs: [RedirectURI]
    /// `nil` if the stored name is unknown. Such a client cannot authenticate.
    package let authenticationMethod: ClientAuthenticationMethod?
    /// The keys of `private_key_jwt`, or `nil` if there are none or they cannot be parsed.
    package let keys: JWKSet?
    package let grantTypes: Set<String>
    package let signsIDTokensWithRSA: Bool
    /// The people who may use it.
    package let policy: ClientPolicy
    /// Whether ID tokens contain the claims of granted scopes. If not, only user info contains
    /// them.
    package let hasClaimsInIDToken: Bool
    /// Its custom claims.
    let customClaims: [CustomClaim]
    /// The encryption of ID tokens. A failure means that the metadata cannot be satisfied; then the
    /// client receives no data about people.
    package let idTokenEncryption: Result<ClientEncryption?, ClientEncryption.EncryptionRefusal>
    package let userInfoEncryption: Result<ClientEncryption?, ClientEncryption.EncryptionRefusal>

    package init(_ client: Client) {
        let metadata = client.metadata
        self.client = client
        scope = metadata.permittedScope
        machineScope = scope.subtracting(.personal)
        redirectURIs = metadata.redirectURIs.compactMap { RedirectURI($0) }
        authenticationMethod = ClientAuthenticationMethod(
            rawValue: metadata.tokenEndpointAuthMethod)
        keys = metadata.jwks.flatMap { try? JWKSet(bytes: Array($0.utf8)) }
        grantTypes = Set(metadata.grantTypes)
        signsIDTokensWithRSA = metadata.idTokenSignedResponseAlg == "RS256"
        policy = ClientPolicy(metadata)
        hasClaimsInIDToken = metadata.idTokenClaims != "minimal"
        customClaims = CustomClaim.all(metadata.claims)
        idTokenEncryption = metadata.idTokenEncryption(to: keys)
        userInfoEncryption = metadata.userInfoEncryption(to: keys)
    }

    package var clientID: String { client.clientID }
    package var isPublic: Bool { authenticationMethod == ClientAuthenticationMethod.none }
    package func may(_ grantType: String) -> Bool { grantTypes.contains(grantType) }

    /// The name for display: `client_name` or else `client_id`.
    package var displayName: String { client.metadata.clientName ?? client.clientID }

    /// Whether a grant with `scope` has a refresh token: the client must be registered for the
    /// grant type, and `offline_access` must be granted.
    package func getsRefreshToken(for scope: ScopeSet) -> Bool {
        may("refresh_token") && scope.contains("offline_access")
    }
}

extension ClientMetadata {
    /// The registered scopes that the client may have. `registration` gives access to a person's
    /// account, so a third-party client needs the permission `managesAccounts` of an administrator.
    var permittedScope: ScopeSet {
        let registered = ScopeSet(scope) ?? ScopeSet()
        guard !firstParty, !managesAccounts else { return registered }
        return registered.subtracting(ScopeSet([ProviderScope.registration]))
    }

    func idTokenEncryption(
        to keys: JWKSet?
    ) -> Result<ClientEncryption?, ClientEncryption.EncryptionRefusal> {
        ClientEncryption.wished(
            idTokenEncryptedResponseAlg, idTokenEncryptedResponseEnc, keys: keys)
    }

    func userInfoEncryption(
        to keys: JWKSet?
    ) -> Result<ClientEncryption?, ClientEncryption.EncryptionRefusal> {
        ClientEncryption.wished(
            userInfoEncryptedResponseAlg, userInfoEncryptedResponseEnc, keys: keys)
    }
}
