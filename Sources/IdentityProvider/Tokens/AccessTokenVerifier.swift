// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
import Storage

/// An access token of this issuer, unexpired and standing. Only ``AccessTokenVerifier`` makes it.
package struct VerifiedAccessToken: Sendable {
    package let claims: AccessTokenClaims

    fileprivate init(claims: AccessTokenClaims) { self.claims = claims }

    package func hasScope(_ scope: String) -> Bool {
        claims.scope.split(separator: " ").contains { $0 == scope }
    }
}

/// For whom an access token must be. Every look at a token says it, so that no endpoint takes a
/// token that was issued for another resource (RFC 9068 section 4).
package enum RequiredAudience: Sendable, Equatable {
    /// The provider itself: the issuer of the project. All endpoints of the provider say this.
    case provider
    /// One resource by its name: the token is looked at for it, and opens nothing here.
    case resource(String)
    /// Any: a client asks about the token (RFC 7662).
    case any

    func allows(_ claims: AccessTokenClaims, of tenant: Tenant) -> Bool {
        switch self {
        case .provider: claims.audience == tenant.issuer
        case .resource(let name): claims.audience == name
        case .any: true
        }
    }
}

/// Says whether a string is an access token that stands: signature by a published key, `typ`,
/// issuer, audience, times, whether the sender may show it (RFC 9068 section 4), and the state in
/// the store (one read).
package struct AccessTokenVerifier: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    /// A token of ours is shorter, whatever it says of its person.
    private static let maximumBytes = 16_384

    /// - Parameters:
    ///   - audience: For whom it must be.
    ///   - possession: The proof of possession of the sender.
    package func verify(
        _ token: String, tenant: Tenant, for audience: RequiredAudience,
        shownWith possession: SenderConstraint, now: Timestamp
    ) async throws -> VerifiedAccessToken? {
        guard let claims = try await genuineClaims(of: token, tenant: tenant, now: now),
            claims.issuer == tenant.issuer, claims.expiresAt > now.seconds,
            audience.allows(claims, of: tenant), possession.allows(claims)
        else { return nil }
        let state = try await provider.store.tokenState(
            jti: claims.tokenID, grant: claims.grant, now: now)
        return state == .living ? VerifiedAccessToken(claims: claims) : nil
    }

    /// Claims under a right signature of a published key; expired or revoked ones too.
    func genuineClaims(
        of token: String, tenant: Tenant, now: Timestamp
    ) async throws -> AccessTokenClaims? {
        guard token.utf8.count <= Self.maximumBytes else { return nil }
        return try await provider.verifiedTokens.claims(of: token, now: now) {
            let keys = try await provider.keys.publishedKeys(of: tenant)
            guard
                let jws = try? JWSVerifier(keys: keys, algorithms: [.es256])
                    .verify(compact: token, maximumBytes: Self.maximumBytes),
                jws.header.isType(AccessTokenClaims.type),
                let object = try? JSONParser.parseObject(
                    jws.payload, maximumBytes: Self.maximumBytes)
            else { return nil }
            return AccessTokenClaims(object)
        }
    }
}
