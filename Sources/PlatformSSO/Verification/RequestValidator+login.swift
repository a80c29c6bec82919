// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

extension RequestValidator {
    mutating func login(
        _ request: UnverifiedLoginRequest, _ keys: LoginKeys
    ) throws(PlatformSSORefusal) -> VerifiedLoginRequest? {
        let facts = try facts(audience: expectation?.endpoints)
        let username = try user()
        let scope = try scope()
        let groups = try groups()
        let previous = try previousRefreshToken()
        let credential = try credential(request, keys)
        guard let facts, let username, let scope, let groups, let credential else { return nil }
        return VerifiedLoginRequest(
            facts: facts, username: username, scope: scope, credential: credential,
            requestedGroups: groups, previousRefreshToken: previous)
    }

    private mutating func previousRefreshToken() throws(PlatformSSORefusal) -> Secret? {
        guard let name = expectation?.previousRefreshTokenClaim, claims.members[name] != nil
        else { return nil }
        return try report.attempt(.refreshToken) { () throws(PlatformSSORefusal) in
            try claims.secret(name)
        }.flatMap { $0 }
    }

    private mutating func credential(
        _ request: UnverifiedLoginRequest, _ keys: LoginKeys
    ) throws(PlatformSSORefusal) -> VerifiedLoginRequest.Credential? {
        let grant = try report.attempt(.grant) { () throws(PlatformSSORefusal) -> GrantType in
            guard let grant = GrantType(rawValue: try claims.requiredText("grant_type")),
                grant != .refreshToken
            else { throw PlatformSSORefusal(.grantUnsupported, "no such grant in a login") }
            guard claims.members["password"] == nil || grant == .password else {
                throw PlatformSSORefusal(.grantUnsupported, "a password with another grant type")
            }
            return grant
        }
        switch grant {
        case .password: return try password()
        case .jwtBearer: return try assertion(of: request, keys)
        case .saml11: return try saml(.v11)
        case .saml2: return try saml(.v2)
        case .tokenExchange: return try webLogin()
        case .refreshToken, nil: return nil
        }
    }

    private mutating func password() throws(PlatformSSORefusal)
        -> VerifiedLoginRequest.Credential?
    {
        try report.attempt(.password) {
            () throws(PlatformSSORefusal) -> VerifiedLoginRequest.Credential in
            guard claims.members["password"] != nil else {
                throw PlatformSSORefusal(.claimMissing, "password is missing")
            }
            guard expectation?.requiresEncryptedPassword != true else {
                throw PlatformSSORefusal(
                    .passwordNotEncrypted, "a password in clear text is not accepted here")
            }
            guard let password = try claims.password() else {
                throw PlatformSSORefusal(.claimMissing, "password is missing")
            }
            return .password(password, wasEncrypted: false)
        }
    }

    private mutating func saml(
        _ version: VerifiedLoginRequest.SAMLVersion
    ) throws(PlatformSSORefusal) -> VerifiedLoginRequest.Credential? {
        try report.attempt(.assertion) {
            () throws(PlatformSSORefusal) -> VerifiedLoginRequest.Credential in
            let text = try claims.requiredText("assertion", maximumBytes: 65_536)
            guard let token = LenientBase64.decode(text), !token.isEmpty else {
                throw PlatformSSORefusal(.assertionMalformed, "the assertion is not base64")
            }
            return .saml(version, assertion: token)
        }
    }

    private mutating func webLogin() throws(PlatformSSORefusal)
        -> VerifiedLoginRequest.Credential?
    {
        try report.attempt(.subjectToken) {
            () throws(PlatformSSORefusal) -> VerifiedLoginRequest.Credential in
            let type = try claims.requiredText("subject_token_type")
            guard type.hasSameBytes(as: WebLoginCallback.subjectTokenType) else {
                throw PlatformSSORefusal(.grantUnsupported, "subject_token_type is \(type)")
            }
            let url = try claims.requiredText("subject_token", maximumBytes: 8192)
            return .webLogin(try WebLoginCallback(url))
        }
    }
}
