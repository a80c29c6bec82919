// SPDX-License-Identifier: Apache-2.0

/// The status of a session's tokens before a renewal.
struct TokenStatus: Sendable {
    /// The active tokens; `nil` if the person is signed out.
    var tokens: StoredTokens?
    /// Whether the store has a record of theirs, perhaps an older one.
    var hasRecord = false
    /// The error of the store if these tokens are not stored; `nil` if they are.
    var trouble: (any Error)?
}
