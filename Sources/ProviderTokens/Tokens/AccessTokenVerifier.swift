// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import ProviderCore
import Storage

/// An active access token of this issuer. Only ``AccessTokenVerifier`` creates it.
package struct VerifiedAccessToken: Sendable {
    package let claims: AccessTokenClaims

    fileprivate init(claims: AccessTokenClaims) { self.claims = claims }

    package func hasScope(_ scope: String) -> Bool {
        claims.scope.split(separator: " ").contains { $0 == scope }
    }
}

/// The audience that an access token must have. Every verification requires it, so that no endpoint
/// accepts a token for another resource (RFC 9068 section 4).
package enum RequiredAudience: Sendable, Equatable {
    /// The provider itself: the issuer of the project. All endpoints of the provider require it.
    case provider
    /// A resource by its name, for which the token is verified. The provider does not accept the
    /// token.
    case resource(String)
    /// Any audience, for a client that introspects the token (RFC 7662).
    case any

    func allows(_ claims: AccessTokenClaims, of tenant: Tenant) -> Bool {
        switch self {
        case .provider: claims.audience == tenant.issuer
        case .resource(let name): claims.audience == name
        case .any: true
        }
    }
}

/// Verifies an access token: signature, `typ`, issuer, audience, expiry, sender constraint (RFC
/// 9068 section 4) and revocation. The revocation status is one read of the store.
package struct AccessTokenVerifier: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    /// The provider issues only shorter tokens.
    private static let maximumBytes = 16_384

    /// - Parameters:
    ///   - audience: The required audience.
    ///   - possession: The key that the sender has proven.
    package func verify(
        _ token: String, tenant: Tenant, for audience: RequiredAudience,
        shownWith possession: SenderConstraint, now: Timestamp
    ) async throws -> VerifiedAccessToken? {
        guard let claims = try await genuineClaims(of: token, tenant: tenant, now: now),
            claims.issuer == tenant.issuer, claims.expiresAt > now.seconds,
            audience.allows(claims, of: tenant), possession.allows(claims)
        else { return nil }
        let state = try await provider.store.tokenStates.tokenState(
            jti: claims.tokenID, grant: claims.grant, now: now)
        return state == .active ? VerifiedAccessToken(claims: claims) : nil
    }

    /// The claims of a token with a valid signature of a published key, also if it is expired or
    /// revoked.
    func genuineClaims(
        of token: String, tenant: Tenant, now: Timestamp
    ) async throws -> AccessTokenClaims? {
        guard token.utf8.count <= Self.maximumBytes else { return nil }
        let published = try await provider.keys.publishedKeys(of: tenant)
        return try await provider.verifiedTokens.claims(of: token, keys: published, now: now) {
            let parsed = try? UnverifiedJWS(
                compact: Array(token.utf8), maximumBytes: Self.maximumBytes)
            guard let parsed else { return nil }
            let kid = parsed.signatures.first?.keyID
            let keys = try await provider.keys.publishedKeys(of: tenant, naming: kid)
            guard
                let jws = try? JWSVerifier(keys: keys, algorithms: [.es256]).verify(parsed),
                jws.header.isType(AccessTokenClaims.type),
                let object = try? JSONParser.parseObject(
                    jws.payload, maximumBytes: Self.maximumBytes),
                let claims = AccessTokenClaims(object)
            else { return nil }
            return VerifiedTokenCache.SignedClaims(claims: claims, kid: kid)
        }
    }
}
