// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
package import Storage
import Synchronization

/// The operator's bearer tokens of the Admin API. Each process has one in its data directory; the
/// store has their keyed hashes, so each of them is valid at every process.
///
/// A process extends the validity of its token. The token of a process that has ended expires, and is
/// active again when a process starts with its data directory.
package final class AdminToken: Sendable {
    /// Puts a new token where operators find it, and returns when it is there.
    package typealias Save = @Sendable (Secret) async throws -> Void

    private let provider: Provider
    private let tokens: any OperatorTokenStore
    private let lifetime: TimeSpan?
    private let save: Save
    /// The token of this process.
    private let own: Mutex<Secret>

    /// Registers the token of this process. If it was revoked by a rotation at another process, a
    /// new one replaces it.
    ///
    /// - Parameters:
    ///   - tokens: `nil` for those of the provider.
    ///   - lifetime: until a token expires that is not renewed; `nil` for a store that only one
    ///     process uses.
    package init(
        _ token: Secret, _ provider: Provider, tokens: (any OperatorTokenStore)? = nil,
        lifetime: TimeSpan? = nil, save: @escaping Save
    ) async throws {
        self.provider = provider
        self.tokens = tokens ?? provider.store.operatorTokens
        self.lifetime = lifetime
        self.save = save
        own = Mutex(token)
        try await renew()
    }

    /// A new token: `gha_` and 256 bits, so that scanners of leaked secrets can tell what it is.
    package static func generate(_ random: some RandomSource) -> Secret {
        Secret("gha_" + Base64URL.encode(random.bytes(32)))
    }

    /// Whether it is an active token of any process. The hash is keyed, so the time of the lookup
    /// says nothing about the tokens.
    package func matches(_ presented: String) async throws -> Bool {
        let hash = provider.secrets.hash(presented.utf8, for: .adminToken)
        let isActive = try await tokens.isActive(operatorToken: hash, now: provider.clock.now)
        // An outage of the database may be longer than the lifetime.
        guard !isActive, lifetime != nil, ConstantTime.equal(hash, self.hash(current)) else {
            return isActive
        }
        return try await register(current)
    }

    // MARK: Validity

    /// Extends the validity of the token of this process. If a rotation at another process has
    /// revoked it, a new one replaces it.
    package func renew() async throws {
        let token = current
        let isRevoked = try await !register(token)
        // A rotation at this process may have replaced it.
        guard isRevoked, token == current else { return }
        try await replaceOwn(with: Self.generate(provider.random))
    }

    /// Ends the validity of the token of this process, which is about to end.
    package func expire() async throws {
        guard lifetime != nil else { return }
        let now = provider.clock.now
        _ = try await tokens.register(operatorToken: hash(current), expiresAt: now, now: now)
    }

    // MARK: Rotation

    /// Replaces the tokens of all processes; they are refused from now on. Returns `nil` if another
    /// rotation at the same time has done so.
    ///
    /// The new token is active before it is in the file, and the old ones are active until it is
    /// there. So the file has an active token if the process is killed in between.
    package func rotate() async throws -> Secret? {
        let token = Self.generate(provider.random)
        try await replaceOwn(with: token)
        let isDone = try await tokens.revokeOperatorTokens(
            except: hash(token), now: provider.clock.now)
        guard isDone else {
            try await renew()
            return nil
        }
        return token
    }

    private func replaceOwn(with token: Secret) async throws {
        _ = try await register(token)
        try await save(token)
        own.withLock { $0 = token }
    }

    private var current: Secret { own.withLock { $0 } }

    private func register(_ token: Secret) async throws -> Bool {
        let now = provider.clock.now
        return try await tokens.register(
            operatorToken: hash(token), expiresAt: lifetime.map { now + $0 }, now: now)
    }

    private func hash(_ token: Secret) -> [UInt8] {
        provider.secrets.hash(token.reveal(), for: .adminToken)
    }
}
