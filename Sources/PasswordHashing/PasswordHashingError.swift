// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Why no answer could be given. None of these says anything about the password.
package enum PasswordHashingError: Error, Equatable {
    /// Too many people are signing in: answer 503 with `Retry-After`.
    case busy(retryAfter: TimeSpan)
    /// The pool has been stopped.
    case stopped
    /// The stored text is no Argon2id hash in PHC form.
    case malformedHash
    /// The stored hash, or the configuration, asks for more work than is reasonable.
    case unreasonableParameters
    /// libargon2 failed, for example for lack of memory. The status is its own.
    case engine(status: Int32)
}
