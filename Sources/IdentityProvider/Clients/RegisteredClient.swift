// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import OAuth
package import Storage

/// A client with its metadata read once: what requests ask of it many times a second.
package final class RegisteredClient: Sendable {
    package let client: Client
    /// What it may ask for.
    package let scope: ScopeSet
    /// What it may have for itself, without a person.
    package let machineScope: ScopeSet
    package let redirectURIs: [RedirectURI]
    /// `nil` when the stored name is none that we know: such a client cannot authenticate.
    package let authenticationMethod: ClientAuthenticationMethod?
    /// The keys of `private_key_jwt`; `nil` when there are none, or they cannot be read.
    package let keys: JWKSet?
    package let grantTypes: Set<String>
    package let signsIDTokensWithRSA: Bool
    /// Who may use it.
    package let policy: ClientPolicy
    /// Whether ID tokens carry the claims of granted scopes; user info alone does otherwise.
    package let hasClaimsInIDToken: Bool
    /// Claims of its own.
    let customClaims: [CustomClaim]
    /// In which form it gets what is said about people; a failure where it wants what cannot be
    /// done, and then it gets nothing.
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

    /// What people are shown: its name, or its `client_id`.
    package var displayName: String { client.metadata.clientName ?? client.clientID }

    /// A refresh token is given to a client registered for it, when `offline_access` was granted.
    package func getsRefreshToken(for scope: ScopeSet) -> Bool {
        may("refresh_token") && scope.contains("offline_access")
    }
}

extension ClientMetadata {
    /// The registered scopes that the client may have: `registration` opens a person's account to
    /// it, so a client of others needs an administrator's word for it.
    var permittedScope: ScopeSet {
        let registered = ScopeSet(scope) ?? ScopeSet()
        guard !firstParty, !managesAccounts else { return registered }
        return registered.subtracting(ScopeSet([RegisteredAccount.scope]))
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
