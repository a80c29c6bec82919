// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A hasher of passwords (Argon2id, RFC 9106) on a bounded pool of dedicated threads.
///
/// Every verification costs one computation, whether or not the person exists: callers use
/// ``verifyNothing(_:)`` for an unknown person.
package final class PasswordHasher: Sendable {
    package let parameters: Argon2Parameters
    private let pool: HashingPool
    private let random: any RandomSource

    /// Bytes of a new salt, as RFC 9106 section 3.1 recommends.
    static let saltLength = 16
    /// Bytes of a new tag.
    static let tagLength = 32

    /// Throws ``PasswordHashingError/unreasonableParameters`` for costs out of bounds.
    package init(
        parameters: Argon2Parameters = .standard, pool: HashingPool, random: any RandomSource
    ) throws(PasswordHashingError) {
        guard parameters.isReasonable else { throw .unreasonableParameters }
        self.parameters = parameters
        self.pool = pool
        self.random = random
    }

    /// The load of the pool, for metrics.
    package var load: HashingPool.Load { pool.load }

    /// A new hash of `password`, in PHC form.
    package func hash(_ password: Password) async throws(PasswordHashingError) -> String {
        let salt = random.bytes(Self.saltLength)
        let tag = try await tag(of: password, salt: salt, parameters, length: Self.tagLength)
        return PasswordHash(parameters: parameters, salt: salt, tag: tag).phc
    }

    /// Whether `password` is the one that was hashed to `phc`. The comparison is constant-time.
    package func verify(
        _ password: Password, against phc: String
    ) async throws(PasswordHashingError) -> Bool {
        let stored = try PasswordHash(phc: phc)
        let tag = try await tag(
            of: password, salt: stored.salt, stored.parameters, length: stored.tag.count)
        return ConstantTime.equal(tag, stored.tag)
    }

    /// Costs what ``verify(_:against:)`` costs and is always wrong: for people who do not exist.
    package func verifyNothing(_ password: Password) async throws(PasswordHashingError) {
        let salt = [UInt8](repeating: 0, count: Self.saltLength)
        _ = try await tag(of: password, salt: salt, parameters, length: Self.tagLength)
    }

    /// Whether a hash that was just verified should be replaced by a new one.
    package func needsRehash(_ phc: String) -> Bool {
        guard let stored = try? PasswordHash(phc: phc) else { return true }
        return stored.parameters != parameters || stored.tag.count != Self.tagLength
            || stored.salt.count < Self.saltLength
    }

    private func tag(
        of password: Password, salt: [UInt8], _ parameters: Argon2Parameters, length: Int
    ) async throws(PasswordHashingError) -> [UInt8] {
        try await pool.run {
            Result { () throws(PasswordHashingError) in
                try Argon2.tag(
                    password: password.bytes, salt: salt, parameters: parameters, length: length)
            }
        }
    }
}
