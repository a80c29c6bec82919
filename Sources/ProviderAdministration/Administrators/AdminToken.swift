// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
import Storage

/// The operator's bearer tokens of the Admin API. Each process has one in its data directory; the
/// store has their keyed hashes, so each of them is valid at every process.
package final class AdminToken: Sendable {
    /// Puts a new token where operators find it, and returns when it is there.
    package typealias Save = @Sendable (Secret) async throws -> Void

    private let provider: Provider
    private let save: Save

    /// Registers the token of this process. If it was revoked by a rotation at another process, a
    /// new one replaces it.
    package init(_ token: Secret, _ provider: Provider, save: @escaping Save) async throws {
        self.provider = provider
        self.save = save
        if try await register(token) { return }
        let fresh = Self.generate(provider.random)
        try await save(fresh)
        _ = try await register(fresh)
    }

    /// A new token: `gha_` and 256 bits, so that scanners of leaked secrets can tell what it is.
    package static func generate(_ random: some RandomSource) -> Secret {
        Secret("gha_" + Base64URL.encode(random.bytes(32)))
    }

    /// Whether it is an active token of any process. The hash is keyed, so the time of the lookup
    /// says nothing about the tokens.
    package func matches(_ presented: String) async throws -> Bool {
        try await provider.store.operatorTokens.isActive(
            operatorToken: provider.secrets.hash(presented.utf8, for: .adminToken))
    }

    /// Replaces the tokens of all processes; they are refused from now on.
    package func rotate() async throws -> Secret {
        let token = Self.generate(provider.random)
        try await save(token)
        try await provider.store.operatorTokens.replaceOperatorTokens(
            with: hash(token), now: provider.clock.now)
        return token
    }

    private func register(_ token: Secret) async throws -> Bool {
        try await provider.store.operatorTokens.register(
            operatorToken: hash(token), now: provider.clock.now)
    }

    private func hash(_ token: Secret) -> [UInt8] {
        provider.secrets.hash(token.reveal(), for: .adminToken)
    }
}
