// SPDX-License-Identifier: Apache-2.0

/// The proof of possession of the sender of an access token. Every verification requires it, so
/// that no endpoint accepts a bound token without the proof of its key.
package enum SenderConstraint: Sendable, Equatable {
    /// No proof: the token must be a bearer token (RFC 6750).
    case bearer
    /// The key with this thumbprint: the token must be bound to it (RFC 9449 section 7.1).
    case key(String)
    /// The key with this thumbprint: the token must be bound to it or to none.
    case keyOrBearer(String)
    /// The sender introspects the token and does not use it.
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
