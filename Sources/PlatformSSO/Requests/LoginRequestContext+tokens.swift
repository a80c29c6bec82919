// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

extension LoginRequestContext {
    /// Returns a refresh request for the device key to sign. It does not contain a person, because
    /// the token identifies them.
    package func refresh(_ token: Secret) throws(JOSEError) -> RequestDraft {
        let endpoint = configuration.refreshEndpointURL ?? configuration.tokenEndpointURL
        return try draft(
            .refreshRequest, key: device.signing, certificates: device.certificates,
            custom: configuration.customRefreshRequestClaims,
            [
                .init(name: "client_id", value: .string(configuration.clientID)),
                .init(name: "iss", value: .string(configuration.clientID)),
                .init(name: "aud", value: .string(endpoint)),
                .init(name: "scope", value: .string(scope())),
                .init(name: "grant_type", value: .string(GrantType.refreshToken.rawValue)),
                .init(name: "refresh_token", value: .string(token.revealText())),
                .init(name: "jwe_crypto", value: responseEncryption),
            ])
    }

    /// A key request (``VerifiedKeyRequest/Operation/provision``) or key exchange for the device key
    /// to sign, without `aud`, as macOS writes it.
    package func key(
        _ operation: VerifiedKeyRequest.Operation, refreshToken: Secret
    ) throws(JOSEError) -> RequestDraft {
        var claims: [JSONObject.Member] = [
            .init(name: "version", value: .string("1.0")),
            .init(name: "key_purpose", value: .string(VerifiedKeyRequest.userUnlock)),
            .init(name: "iss", value: .string(configuration.clientID)),
            .init(name: "sub", value: .string(user.loginUserName)),
            .init(name: "username", value: .string(user.loginUserName)),
            .init(name: "refresh_token", value: .string(refreshToken.revealText())),
            .init(name: "jwe_crypto", value: responseEncryption),
        ]
        var custom = configuration.customKeyRequestClaims
        switch operation {
        case .provision:
            claims.append(.init(name: "request_type", value: .string("key_request")))
        case .exchange(let other, let context):
            custom = configuration.customKeyExchangeRequestClaims
            claims.append(.init(name: "request_type", value: .string("key_exchange")))
            claims.append(
                .init(name: "other_publickey", value: .string(Base64.encode(other.x963 ?? []))))
            if let context { claims.append(.init(name: "key_context", value: .string(context))) }
        }
        return try draft(
            .keyRequest, key: device.signing, certificates: device.certificates, custom: custom,
            claims)
    }

    /// Returns the signed authorization request of a web login, for the device key to sign; `nil`
    /// if the provider did not request one. It is posted as `request` to the URL of `start`.
    ///
    /// - Parameter redirectURI: The URL at which the browser ends.
    package func authorization(
        _ start: WebLoginStart, redirectURI: String = WebLoginCallback.address
    ) throws(JOSEError) -> RequestDraft? {
        let claims = start.claims(
            loginHint: user.loginUserName, scope: scope(isWebLogin: true),
            redirectURI: redirectURI)
        guard let claims else { return nil }
        // The provider chooses the nonce, so the common claims are omitted.
        let empty = try draft(
            .authorizationRequest, key: device.signing, certificates: device.certificates,
            custom: CustomClaims(), [])
        return RequestDraft(header: empty.header, claims: claims)
    }

    /// Returns the URL to open for a web login without a signed request.
    package func authorizationURL(
        _ start: WebLoginStart, redirectURI: String = WebLoginCallback.address
    ) -> String {
        start.url(
            loginHint: user.loginUserName, scope: scope(isWebLogin: true),
            redirectURI: redirectURI)
    }
}
