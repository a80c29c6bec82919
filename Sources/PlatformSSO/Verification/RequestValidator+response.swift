// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives

extension RequestValidator {
    /// Reads both nonces.
    private mutating func nonces() throws(PlatformSSORefusal) -> (own: String, server: String)? {
        let own = try report.attempt(.nonce) { () throws(PlatformSSORefusal) in
            try claims.requiredText("nonce", maximumBytes: 128)
        }
        let name = serverNonceClaim
        let server = try report.attempt(.serverNonce) { () throws(PlatformSSORefusal) in
            try claims.requiredText(name, maximumBytes: 4096)
        }
        guard let own, let server else { return nil }
        return (own, server)
    }

    /// Verifies `jwe_crypto`: a supported algorithm, and party information with this device's
    /// encryption key and this request's nonce. Without this check a response could be encrypted to
    /// an unregistered key.
    private mutating func response(
        nonce: String?
    ) throws(PlatformSSORefusal) -> ResponseEncryption? {
        let party = try report.attempt(.encryption) { () throws(PlatformSSORefusal) in
            try Self.party(claims.members["jwe_crypto"])
        }
        guard let party, let info = PartyInfo(bytes: party) else { return nil }
        try report.require(
            info.fields[0] == PartyInfo.recipientLabel, .partyLabel, .apvMalformed,
            "apv does not begin with Apple")
        try report.require(
            nonce.map { info.fields[2] == Array($0.utf8) } ?? false, .partyNonce,
            .apvNonceMismatch, "apv contains another nonce than the request")
        let known = device?.encryption ?? []
        let isCompared = expectation != nil || !known.isEmpty
        let recipient = try report.attempt(.partyKey, isCompared: isCompared) {
            () throws(PlatformSSORefusal) in
            isCompared
                ? try Self.recipient(info.fields[1], among: known)
                : try PublicJWK(x963: info.fields[1])
        }
        return recipient.map { ResponseEncryption(recipient: $0, apv: party) }
    }

    /// Returns the bytes of `apv`, if the rest of the object is supported.
    private static func party(_ value: JSONValue?) throws(PlatformSSORefusal) -> [UInt8] {
        guard let wish = value?.object, let algorithm = wish["alg"]?.string else {
            throw PlatformSSORefusal(
                .responseEncryptionUnsupported, "jwe_crypto with alg is missing")
        }
        guard !UnsupportedHPKE.isNamed(algorithm) else { throw UnsupportedHPKE.refusal }
        guard JWEAlgorithm(exactly: algorithm) == .ecdhES,
            wish["enc"]?.string.flatMap({ JWEEncryption(exactly: $0) }) == .a256GCM
        else {
            throw PlatformSSORefusal(
                .responseEncryptionUnsupported, "jwe_crypto is not ECDH-ES with A256GCM")
        }
        guard let apv = wish["apv"]?.string.flatMap({ LenientBase64.decode($0) }),
            apv.count <= 1024, let info = PartyInfo(bytes: apv), info.fields.count == 3
        else {
            throw PlatformSSORefusal(.apvMalformed, "apv has not three fields behind lengths")
        }
        return apv
    }

    /// Returns the device's encryption key with that `point`.
    private static func recipient(
        _ point: [UInt8], among known: [PublicJWK]
    ) throws(PlatformSSORefusal) -> PublicJWK {
        guard let key = known.first(where: { $0.x963 == point }) else {
            throw PlatformSSORefusal(
                .apvKeyMismatch, "apv names a key that is not this device's encryption key")
        }
        return key
    }

    /// Verifies all fields of ``VerifiedRequestClaims``.
    mutating func facts(
        clientInIssuer: Bool = false, audience accepted: [String]?, isAudienceRequired: Bool = true
    ) throws(PlatformSSORefusal) -> VerifiedRequestClaims? {
        try signature()
        let client = try client(inIssuer: clientInIssuer)
        try audience(of: claims, isRequired: isAudienceRequired, accepted)
        let times = try times(of: claims, isOld: message.isFirstGeneration)
        let nonces = try nonces()
        let response = try response(nonce: nonces?.own)
        guard let client, let times, let nonces, let response else { return nil }
        return VerifiedRequestClaims(
            signingKeyID: message.signingKeyID, clientID: client, nonce: nonces.own,
            serverNonce: nonces.server, issuedAt: times.issuedAt, expiresAt: times.expiresAt,
            response: response, claims: claims.members)
    }

    /// Reads `scope`, which must contain `openid` and at most one purpose of macOS 27.
    mutating func scope() throws(PlatformSSORefusal) -> ScopeSet? {
        try report.attempt(.scope) { () throws(PlatformSSORefusal) -> ScopeSet in
            let text = try claims.requiredText("scope", maximumBytes: 4096)
            guard let scope = ScopeSet(text), scope.contains("openid") else {
                throw PlatformSSORefusal(.scopeMalformed, "scope does not contain openid")
            }
            let purposes = scope.values.filter { $0.hasPrefix(AuthorizationScope.prefix) }
            guard purposes.count <= 1 else {
                throw PlatformSSORefusal(.scopeMalformed, "scope names several purposes")
            }
            return scope
        }
    }

    mutating func groups() throws(PlatformSSORefusal) -> [String]? {
        try report.attempt(.groups) { () throws(PlatformSSORefusal) in
            try GroupRequest.read(claims.members, name: expectation?.groupRequestClaim)
        }
    }

    mutating func refreshToken() throws(PlatformSSORefusal) -> Secret? {
        try report.attempt(.refreshToken) { () throws(PlatformSSORefusal) -> Secret in
            try claims.reader.required("refresh_token", .shortSecret)
        }
    }
}
