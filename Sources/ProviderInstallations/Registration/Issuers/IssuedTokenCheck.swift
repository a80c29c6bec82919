// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Crypto
import JOSE
import Primitives
import ProviderCore
import ProviderSettings
import Storage

/// A verified token of a registered issuer. Only ``IssuedTokenCheck`` creates it.
struct VerifiedIssuerToken: Sendable {
    let key: IssuerKey
    let subject: String
    /// All claims of the token.
    let claims: JSONObject
    /// The one-time identifier of its `jti`. The transaction that uses the token consumes it.
    let use: OneTimeUse

    fileprivate init(key: IssuerKey, subject: String, claims: JSONObject, use: OneTimeUse) {
        self.key = key
        self.subject = subject
        self.claims = claims
        self.use = use
    }
}

/// Verifies a token of an issuer about a person: it must be signed with a registered key, have the
/// right audience, be valid now, and not be consumed (RFC 7519 section 7.2, RFC 7523 section 3).
struct IssuedTokenCheck: Sendable {
    let provider: Provider
    let tenant: Tenant
    let now: Timestamp
    let kind: IssuerKey.Kind

    /// Allowed clock skew in seconds.
    static let clockSkew: Int64 = 60
    /// Greater times are in milliseconds: in seconds they would be in the year 5138.
    static let greatestSeconds: Int64 = 100_000_000_000
    static let maximumBytes = 16_384

    func verify(_ token: String) async throws -> Result<VerifiedIssuerToken, CeremonyRefusal> {
        guard let jws = try? UnverifiedJWS(compact: token, maximumBytes: Self.maximumBytes) else {
            return .declined(.tokenRefused, because: "not a compact JWS", stranger: true)
        }
        return try await verify(jws)
    }

    /// Verifies a parsed token.
    func verify(_ jws: UnverifiedJWS) async throws -> Result<VerifiedIssuerToken, CeremonyRefusal> {
        guard let kid = jws.header.keyID, let issuer = Self.issuer(of: jws) else {
            return .declined(.tokenRefused, because: "without kid or iss", stranger: true)
        }
        guard let key = try await provider.issuerKey(issuer: issuer, kid: kid, of: tenant),
            key.record.kind == kind
        else {
            return .declined(
                .tokenRefused, because: "no such key of that issuer", stranger: true)
        }
        let claims: JSONObject
        do {
            let verified = try key.verify(jws)
            claims = try JSONParser.parseObject(
                verified.payload, maximumBytes: Self.maximumBytes, maximumDepth: 8)
        } catch {
            return .declined(.tokenRefused, because: "not verified: \(error)", stranger: true)
        }
        if jws.header.type != nil, !jws.header.isType("JWT") {
            return .declined(.tokenRefused, because: "a token of another type")
        }
        return believe(claims, of: key.record)
    }

    /// Reads the unverified issuer. It is only used to find the key.
    private static func issuer(of jws: UnverifiedJWS) -> String? {
        let claims = try? JSONParser.parseObject(
            jws.payload, maximumBytes: maximumBytes, maximumDepth: 8)
        return claims?["iss"]?.string
    }

    private func believe(
        _ claims: JSONObject, of key: IssuerKey
    ) -> Result<VerifiedIssuerToken, CeremonyRefusal> {
        guard Self.isOnly(key.settings.audience, claims["aud"]) else {
            return .declined(
                .tokenRefused, "The token's aud must be \(key.settings.audience).",
                because: "another audience")
        }
        guard let subject = claims["sub"]?.string, Self.isName(subject) else {
            return .declined(
                .tokenRefused, "The token's sub must be 1 to 128 visible characters.",
                because: "no usable sub")
        }
        guard let identifier = claims["jti"]?.string, (1...255).contains(identifier.utf8.count)
        else {
            return .declined(.tokenRefused, "The token needs a jti.", because: "no usable jti")
        }
        return expiry(of: claims, key).map { end in
            VerifiedIssuerToken(
                key: key, subject: subject, claims: claims,
                use: OneTimeUse(
                    OneTimeIdentifier(.issuedToken, key: mark(identifier, key)),
                    until: Timestamp(seconds: end + 2 * Self.clockSkew)))
        }
    }

    /// The expiry in seconds since 1970, if all times of the token are valid.
    private func expiry(of claims: JSONObject, _ key: IssuerKey) -> Result<Int64, CeremonyRefusal> {
        times(of: claims, key).flatMap { expiry($0) }
    }

    private func expiry(_ times: [String: Int64]) -> Result<Int64, CeremonyRefusal> {
        guard let issued = times["iat"], let end = times["exp"] else {
            return .declined(
                .tokenRefused, "The token needs iat and exp.", because: "without iat or exp")
        }
        let now = now.seconds
        guard end > now - Self.clockSkew else {
            return .declined(.tokenExpired, because: "expired")
        }
        guard issued <= now + Self.clockSkew, (times["nbf"] ?? issued) <= now + Self.clockSkew
        else {
            return .declined(
                .tokenRefused, "The token is not valid yet.", because: "from the future")
        }
        guard end > issued, end - issued <= IssuedToken.maximumLifetime else {
            return .declined(
                .tokenRefused,
                "The lifetime of the token may be at most \(IssuedToken.maximumLifetime) seconds.",
                because: "lifetime too long")
        }
        return .success(end)
    }

    /// The values of `iat`, `exp` and `nbf` in seconds.
    private func times(
        of claims: JSONObject, _ key: IssuerKey
    ) -> Result<[String: Int64], CeremonyRefusal> {
        var times: [String: Int64] = [:]
        for name in ["iat", "exp", "nbf"] {
            guard let value = claims[name] else { continue }
            guard let time = value.numericDate, time >= 0 else {
                return .declined(
                    .tokenRefused, "The token's \(name) must be a number, not below zero.",
                    because: "\(name) is not a number")
            }
            guard let seconds = seconds(time, key) else {
                return .declined(
                    .tokenTimeUnit,
                    "The token's \(name) counts milliseconds; send seconds since 1970 (RFC 7519).",
                    because: "\(name) in milliseconds")
            }
            times[name] = seconds
        }
        return .success(times)
    }

    /// Returns `nil` if the time is in milliseconds and the issuer's settings do not allow it.
    private func seconds(_ time: Int64, _ key: IssuerKey) -> Int64? {
        guard time > Self.greatestSeconds else { return time }
        return key.settings.milliseconds ? time / 1000 : nil
    }

    /// Whether the audience is one string, or a list of one.
    private static func isOnly(_ expected: String, _ audience: JSONValue?) -> Bool {
        let named = audience?.strings ?? audience?.string.map { [$0] } ?? []
        return named.count == 1 && named[0].hasSameBytes(as: expected)
    }

    /// A subject is stored unchanged, so it must be in normalized form.
    private static func isName(_ subject: String) -> Bool {
        subject.utf8.count <= 255 && UserName.display(subject).map(subject.hasSameBytes) ?? false
    }

    private func mark(_ identifier: String, _ key: IssuerKey) -> [UInt8] {
        let name = key.project.bytes + Array(key.issuer.utf8) + [0] + Array(identifier.utf8)
        return Array(SHA256.hash(data: name))
    }
}
