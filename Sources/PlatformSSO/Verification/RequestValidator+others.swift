// SPDX-License-Identifier: Apache-2.0
import JOSE

extension RequestValidator {
    mutating func refresh() throws(PlatformSSORefusal) -> VerifiedRefreshRequest? {
        let facts = try facts(audience: expectation?.endpoints)
        let scope = try scope()
        let groups = try groups()
        try report.require(
            claims.members["grant_type"]?.string == GrantType.refreshToken.rawValue, .grant,
            .grantUnsupported, "grant_type is not refresh_token")
        let token = try refreshToken()
        guard let facts, let scope, let groups, let token else { return nil }
        return VerifiedRefreshRequest(
            facts: facts, scope: scope, refreshToken: token, requestedGroups: groups)
    }

    mutating func keyRequest() throws(PlatformSSORefusal) -> VerifiedKeyRequest? {
        let accepted = expectation.map { $0.endpoints + [$0.audience] }
        let facts = try facts(
            clientInIssuer: true, audience: accepted, isAudienceRequired: false)
        let username = try user()
        try report.require(
            claims.members["version"]?.string == "1.0", .version, .versionUnsupported,
            "version is not 1.0")
        try report.require(
            claims.members["key_purpose"]?.string == VerifiedKeyRequest.userUnlock, .keyPurpose,
            .keyPurposeUnsupported, "key_purpose is not user_unlock")
        let operation = try operation()
        let token = try refreshToken()
        guard let facts, let username, let operation, let token else { return nil }
        return VerifiedKeyRequest(
            facts: facts, username: username, operation: operation, refreshToken: token)
    }

    private mutating func operation() throws(PlatformSSORefusal)
        -> VerifiedKeyRequest.Operation?
    {
        let isExchange = try report.attempt(.requestType) { () throws(PlatformSSORefusal) in
            switch try claims.requiredText("request_type") {
            case "key_request" where !message.isType(.keyExchangeRequest): return false
            case "key_exchange": return true
            default:
                throw PlatformSSORefusal(.requestTypeUnsupported, "no such request_type")
            }
        }
        guard let isExchange else { return nil }
        guard isExchange else { return .provision }
        let other = try report.attempt(.otherPublicKey) { () throws(PlatformSSORefusal) in
            let text = try claims.requiredText("other_publickey")
            guard let point = LenientBase64.decode(text) else {
                throw PlatformSSORefusal(.publicKeyMalformed, "other_publickey is not base64")
            }
            return try PublicJWK(x963: point)
        }
        let context = try report.attempt(.keyContext) { () throws(PlatformSSORefusal) in
            try claims.text("key_context", maximumBytes: KeyResponse.maximumContextBytes)
        }
        guard let other, let context else { return nil }
        return .exchange(otherPublicKey: other, context: context)
    }

    /// Verifies the request of a web login (RFC 9101 in Apple's form). It contains no server nonce
    /// and requests no encrypted response; its times are checked if it has any.
    mutating func authorization() throws(PlatformSSORefusal) -> VerifiedAuthorizationRequest? {
        try signature()
        let client = try report.attempt(.client, isCompared: expectation != nil) {
            () throws(PlatformSSORefusal) in
            let client = try claims.requiredText("client_id")
            guard expectation?.clientID.hasSameBytes(as: client) ?? true else {
                throw PlatformSSORefusal(.clientMismatch, "client_id is \(client)")
            }
            return client
        }
        if claims.members["iat"] != nil || claims.members["exp"] != nil {
            _ = try times(of: claims, isOld: true)
        }
        let redirect = claims.members["redirect_uri"]?.string ?? ""
        try report.require(
            WebLoginCallback.isAddress(redirect), .redirect, .redirectMismatch,
            "redirect_uri is neither \(WebLoginCallback.address) nor a port of loopback")
        try report.require(
            claims.members["response_type"]?.string == "code", .responseType, .grantUnsupported,
            "response_type is not code")
        let scope = try scope()
        let state = try report.attempt(.state) { () throws(PlatformSSORefusal) in
            try claims.requiredText("state")
        }
        let nonce = try report.attempt(.nonce) { () throws(PlatformSSORefusal) in
            try claims.requiredText("nonce")
        }
        let hint = try report.attempt(.user) { () throws(PlatformSSORefusal) in
            try claims.text("login_hint", maximumBytes: 512)
        }
        guard let client, let scope, let state, let nonce, let hint else { return nil }
        return VerifiedAuthorizationRequest(
            signingKeyID: message.signingKeyID, clientID: client, redirectURI: redirect,
            scope: scope, state: state, nonce: nonce, loginHint: hint, claims: claims.members)
    }
}
