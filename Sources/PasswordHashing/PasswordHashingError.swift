// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// An error that is independent of the password.
package enum PasswordHashingError: Error, Equatable {
    /// Too many people are signing in: respond with 503 and `Retry-After`.
    case busy(retryAfter: TimeSpan)
    /// The pool has been stopped.
    case stopped
    /// The stored text is not an Argon2id hash in PHC form.
    case malformedHash
    /// The stored hash, or the configuration, exceeds the maximum work.
    case unreasonableParameters
    /// libargon2 failed, for example for lack of memory. The status is its own.
    case engine(status: Int32)
}
