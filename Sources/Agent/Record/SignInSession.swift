// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What a sign-in gave, and when.
package struct SignInSession: Sendable, Equatable {
    package var refreshToken: Secret
    package var idToken: String
    package var subject: String?
    package var groups: [String]
    package var fullLoginAt: Timestamp
    package var refreshedAt: Timestamp
    package var expiresAt: Timestamp
    /// `auth_time` of the last full login.
    package var authenticatedAt: Timestamp?
}
