// SPDX-License-Identifier: Apache-2.0
package import OAuth
package import Primitives

/// A refresh request that a ``RequestVerifier`` accepted. The caller must verify the token, which
/// must belong to the signing device.
package struct VerifiedRefreshRequest: Sendable {
    package let facts: VerifiedRequestClaims
    package let scope: ScopeSet
    package let refreshToken: Secret
    package let requestedGroups: [String]
}
