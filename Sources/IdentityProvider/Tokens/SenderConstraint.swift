// SPDX-License-Identifier: Apache-2.0

/// What whoever shows an access token has shown besides. Every look at a token says it, so that no
/// endpoint takes a bound token from somebody who only has its letters.
package enum SenderConstraint: Sendable, Equatable {
    /// Nothing: the token must be good for whoever has it (RFC 6750).
    case bearer
    /// That key, by its thumbprint: the token must be bound to it (RFC 9449 section 7.1).
    case key(String)
    /// That key, for a token that may be bound to it or to none.
    case keyOrBearer(String)
    /// Nobody shows it; somebody asks about it.
    case asked

    func allows(_ claims: AccessTokenClaims) -> Bool {
        switch self {
        case .bearer: claims.confirmation == nil
        case .key(let thumbprint): claims.confirmation == thumbprint
        case .keyOrBearer(let thumbprint):
            claims.confirmation == nil || claims.confirmation == thumbprint
        case .asked: true
        }
    }
}
