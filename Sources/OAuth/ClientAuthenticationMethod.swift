// SPDX-License-Identifier: Apache-2.0

/// The authentication method of a client at the token endpoint (RFC 7591
/// `token_endpoint_auth_method`).
package enum ClientAuthenticationMethod: String, Sendable, CaseIterable {
    case none
    case clientSecretBasic = "client_secret_basic"
    case clientSecretPost = "client_secret_post"
    case privateKeyJWT = "private_key_jwt"
}
