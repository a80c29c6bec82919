// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives
import ProviderCore
import Storage

/// Verifies client assertions (`private_key_jwt`): RFC 7523 section 3 and OpenID Connect Core
/// section 9.
///
/// `aud` must be the issuer as one string (draft-ietf-oauth-rfc7523bis), so that no other server
/// can obtain assertions for this one. Most libraries send the token endpoint, as OpenID Connect
/// Core says. It is accepted from clients that do not require sender-constrained tokens. FAPI 2
/// allows only the issuer.
struct ClientAssertionCheck: Sendable {
    let provider: Provider
    let tenant: Tenant
    let client: RegisteredClient
    let now: Timestamp

    /// Maximum lifetime of an assertion in seconds: one hour, as libraries request, or five minutes
    /// for a client with sender-constrained tokens.
    private var maximumLifetime: Int64 { client.client.metadata.bindsAccessTokens ? 300 : 3600 }
    /// Allowed clock skew in seconds.
    static let clockSkew: Int64 = 60
    static let algorithms: [JWSAlgorithm] = [.es256, .rs256, .ps256, .edDSA]
    private static let types = ["JWT", "client-authentication+jwt"]

    /// Verifies and consumes an assertion. Returns the reason for a refusal, or `nil` if it is
    /// valid.
    func reasonToRefuse(_ assertion: String) async throws -> String? {
        guard let keys = client.keys else { return "the client has no keys" }
        let claims: JSONObject
        do {
            let verified = try JWSVerifier(keys: keys, algorithms: Self.algorithms)
                .verify(compact: assertion)
            if let type = verified.header.type, !Self.types.contains(where: verified.header.isType)
            {
                return "a client assertion of type \(type.prefix(64))"
            }
            claims = try JSONParser.parseObject(verified.payload, maximumBytes: 16_384)
        } catch {
            return "the assertion cannot be verified: \(error)"
        }
        if let reason = reasonToRefuse(claims) { return reason }
        return try await isFirstUse(of: claims) ? nil : "the assertion was used before"
    }

    private func reasonToRefuse(_ claims: JSONObject) -> String? {
        let seconds = now.seconds
        guard claims["iss"]?.string == client.clientID, claims["sub"]?.string == client.clientID
        else { return "iss and sub are not the client" }
        guard let audience = claims["aud"]?.string, isOurs(audience) else {
            return "aud is not the issuer as one string"
        }
        guard let expires = claims["exp"]?.numericDate, expires > seconds - Self.clockSkew else {
            return "expired, or without exp"
        }
        guard expires <= seconds + maximumLifetime + Self.clockSkew else {
            return "exp is further away than \(maximumLifetime) seconds"
        }
        for name in ["nbf", "iat"] {
            guard let value = claims[name] else { continue }
            guard let time = value.numericDate, time <= seconds + Self.clockSkew else {
                return "\(name) is not a time, or is in the future"
            }
        }
        guard let identifier = claims["jti"]?.string, !identifier.isEmpty else { return "no jti" }
        return nil
    }

    private func isOurs(_ audience: String) -> Bool {
        audience == tenant.issuer
            || !client.client.metadata.bindsAccessTokens && audience == tenant.issuer + "/token"
    }

    /// Consumes the `jti` durably. The stored identifier expires after the assertion.
    private func isFirstUse(of claims: JSONObject) async throws -> Bool {
        guard let identifier = claims["jti"]?.string, let expires = claims["exp"]?.numericDate
        else {
            return false
        }
        let key = SHA256.hash(data: client.client.id.bytes + Array(identifier.utf8))
        return try await provider.store.challenges.markUsed(
            OneTimeIdentifier(.clientAssertion, key: Array(key)),
            expiresAt: Timestamp(seconds: expires + 2 * Self.clockSkew))
    }
}
