// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The credential of the person in a login request.
package enum LoginCredential: Sendable {
    /// Sent encrypted if the configuration has a key for that.
    case password(Secret)
    /// A compact JWS that the person's key or card signed: see
    /// ``LoginRequestContext/assertion(key:certificates:)``.
    case signedAssertion([UInt8])
    /// The XML of a WS-Trust response.
    case saml(VerifiedLoginRequest.SAMLVersion, assertion: [UInt8])
    /// The whole URL at which a web login ended.
    case webLogin(WebLoginCallback)
}

extension LoginRequestContext {
    /// Returns a login request for the device key to sign.
    ///
    /// - Parameters:
    ///   - groups: The groups of the profile.
    ///   - previousRefreshToken: Sent if the configuration requires it.
    /// - Throws: `keyMismatch` if the device key cannot sign; `algorithmUnsupported` if the
    ///   configuration requires HPKE; `failure`.
    package func login(
        _ credential: LoginCredential, groups: [String] = [],
        previousRefreshToken: Secret? = nil, random: some RandomSource
    ) throws(JOSEError) -> RequestDraft {
        let isWebLogin = if case .webLogin = credential { true } else { false }
        var claims: [JSONObject.Member] = [
            .init(name: "client_id", value: .string(configuration.clientID)),
            .init(name: "iss", value: .string(configuration.clientID)),
            .init(name: "aud", value: .string(configuration.tokenEndpointURL)),
            .init(name: "sub", value: .string(user.loginUserName)),
            .init(name: "username", value: .string(user.loginUserName)),
            .init(name: "scope", value: .string(scope(isWebLogin: isWebLogin))),
            .init(name: "jwe_crypto", value: responseEncryption),
        ]
        claims += try proof(credential, random: random)
        let request = GroupRequest.member(groups, name: configuration.groupRequestClaimName)
        claims += request.map { [$0] } ?? []
        if configuration.includePreviousRefreshTokenInLoginRequest, let previousRefreshToken {
            claims.append(
                .init(
                    name: configuration.previousRefreshTokenClaimName,
                    value: .string(previousRefreshToken.revealText())))
        }
        let custom = configuration.customLoginRequestClaims.merging(user.customLoginRequestClaims)
        return try draft(
            .loginRequest, key: device.signing, certificates: device.certificates,
            custom: custom, claims)
    }

    private func proof(
        _ credential: LoginCredential, random: some RandomSource
    ) throws(JOSEError) -> [JSONObject.Member] {
        func members(_ grant: GrantType, _ name: String, _ value: String) -> [JSONObject.Member] {
            [
                .init(name: "grant_type", value: .string(grant.rawValue)),
                .init(name: name, value: .string(value)),
            ]
        }
        switch credential {
        case .password(let password):
            guard let key = configuration.loginRequestEncryptionPublicKey else {
                return members(.password, "password", password.revealText())
            }
            let sealed = try encryptedAssertion(password, to: key, random: random)
            return members(.jwtBearer, "assertion", String(decoding: sealed, as: UTF8.self))
        case .signedAssertion(let assertion):
            return members(.jwtBearer, "assertion", String(decoding: assertion, as: UTF8.self))
        case .saml(.v11, let assertion):
            return members(.saml11, "assertion", Base64.encode(assertion))
        case .saml(.v2, let assertion):
            return members(.saml2, "assertion", Base64.encode(assertion))
        case .webLogin(let callback):
            let type = JSONValue.string(WebLoginCallback.subjectTokenType)
            return members(.tokenExchange, "subject_token", callback.url)
                + [.init(name: "subject_token_type", value: type)]
        }
    }
}
