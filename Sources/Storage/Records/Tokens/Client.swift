// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// An OAuth client (relying party). Metadata has the names of RFC 7591.
package struct Client: Sendable, Equatable {
    package var id: Identifier<Client>
    package var project: Identifier<Project>
    /// The `client_id` on the wire, unique in the project.
    package var clientID: String
    package var metadata: ClientMetadata
    /// Keyed SHA-256 of the client secret; `nil` for clients without one.
    package var secretHash: [UInt8]?
    package var disabled: Bool
    package var createdAt: Timestamp

    package init(
        id: Identifier<Client>,
        project: Identifier<Project>,
        clientID: String,
        metadata: ClientMetadata,
        secretHash: [UInt8]? = nil,
        disabled: Bool = false,
        createdAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.clientID = clientID
        self.metadata = metadata
        self.secretHash = secretHash
        self.disabled = disabled
        self.createdAt = createdAt
    }
}

/// RFC 7591 section 2, OpenID Connect Dynamic Client Registration section 2. Stored as JSON.
package struct ClientMetadata: StoredSettings, Equatable {
    package var clientName: String?
    package var clientURI: String?
    package var logoURI: String?
    package var policyURI: String?
    package var tosURI: String?
    /// `none`, `client_secret_basic` (default), `client_secret_post` or `private_key_jwt`.
    package var tokenEndpointAuthMethod: String = "client_secret_basic"
    package var grantTypes: [String] = ["authorization_code"]
    package var responseTypes: [String] = ["code"]
    package var redirectURIs: [String] = []
    package var postLogoutRedirectURIs: [String] = []
    /// The scopes that the client may request, separated by spaces.
    package var scope: String = "openid"
    /// JWK set (JSON text) for `private_key_jwt`.
    package var jwks: String?
    /// `RS256` (default, as OpenID Connect Core section 2 has it) or `ES256`.
    package var idTokenSignedResponseAlg: String = "RS256"
    /// The algorithm that encrypts ID tokens to a key of ``jwks``; `nil` for no encryption.
    package var idTokenEncryptedResponseAlg: String?
    /// `A128CBC-HS256` when absent.
    package var idTokenEncryptedResponseEnc: String?
    /// The same for user info.
    package var userInfoEncryptedResponseAlg: String?
    package var userInfoEncryptedResponseEnc: String?
    /// Whether the client belongs to the operator: no consent is requested.
    package var firstParty: Bool = false
    package var defaultMaxAge: Int64?
    /// Audience of access tokens; the issuer when absent.
    package var audience: String?
    /// Whether every token of the client must be sender-constrained: `dpop_bound_access_tokens` of
    /// RFC 9449 section 5.2. If `false`, a client that proves a key still receives
    /// sender-constrained tokens.
    package var bindsAccessTokens: Bool = false

    /// The audiences for which the client may exchange tokens (RFC 8693); empty for none.
    package var exchangeAudiences: [String] = []

    /// The URLs to which an app of the client may hand off its person; empty for none.
    package var webHandoffURIs: [String] = []

    /// Whether a third-party client may request the scope `registration`, which allows changes of
    /// the person's account. First-party clients always may.
    package var managesAccounts: Bool = false

    /// The people who may use the client, as JSON: a name for all or none, or an object with
    /// `groups` and `users`. `nil` admits all people.
    package var access: String?
    /// The authentication context class that every sign-in for the client must reach; `nil` for any.
    package var requiredContextClass: String?
    /// `scopes`: claims of granted scopes are in the ID token; `minimal`: at user info only.
    package var idTokenClaims: String = "scopes"
    /// Additional claims of the client, as a JSON array; `nil` for none.
    package var claims: String?

    package init() {}

    enum CodingKeys: String, CodingKey, CaseIterable {
        case clientName = "client_name"
        case clientURI = "client_uri"
        case logoURI = "logo_uri"
        case policyURI = "policy_uri"
        case tosURI = "tos_uri"
        case tokenEndpointAuthMethod = "token_endpoint_auth_method"
        case grantTypes = "grant_types"
        case responseTypes = "response_types"
        case redirectURIs = "redirect_uris"
        case postLogoutRedirectURIs = "post_logout_redirect_uris"
        case scope, jwks
        case idTokenSignedResponseAlg = "id_token_signed_response_alg"
        case idTokenEncryptedResponseAlg = "id_token_encrypted_response_alg"
        case idTokenEncryptedResponseEnc = "id_token_encrypted_response_enc"
        case userInfoEncryptedResponseAlg = "userinfo_encrypted_response_alg"
        case userInfoEncryptedResponseEnc = "userinfo_encrypted_response_enc"
        case firstParty = "first_party"
        case defaultMaxAge = "default_max_age"
        case audience
        case bindsAccessTokens = "dpop_bound_access_tokens"
        case exchangeAudiences = "exchange_audiences"
        case webHandoffURIs = "web_handoff_uris"
        case managesAccounts = "manages_accounts"
        case access
        case requiredContextClass = "required_acr"
        case idTokenClaims = "id_token_claims"
        case claims
    }

}
