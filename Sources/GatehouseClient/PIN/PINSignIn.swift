// SPDX-License-Identifier: Apache-2.0
import PIN

/// A sign-in with a PIN: the state is settled first, then one that was typed may be tried.
struct PINSignIn: Sendable {
    private let conversation: PINProtocolClient
    private let state: PINDeviceState
    private let endpoint: TokenEndpointClient
    private let profile: StoredProfile
    private let scopes: [String]

    init(system: ClientDependencies, profile: StoredProfile) async throws {
        conversation = try PINProtocolClient(
            system: system, profileID: profile.id, key: try await system.book.key(of: profile))
        state = try await conversation.settledState()
        endpoint = try await system.endpoint(of: profile)
        self.profile = profile
        scopes = system.configuration.scopes
    }

    /// Tries a PIN that was typed.
    func run(_ typed: TypedPIN) async throws -> PINProtocolClient.Outcome<StoredTokens> {
        try await prove(try await conversation.open(typed, state))
    }

    /// With a secret that is open already; `nil` when it does not count.
    func run(with secret: OpenedPINSecret) async throws -> StoredTokens? {
        guard case .right(let tokens) = try await prove(secret) else { return nil }
        return tokens
    }

    private func prove(
        _ secret: OpenedPINSecret
    ) async throws -> PINProtocolClient.Outcome<StoredTokens> {
        try await conversation.signIn(
            with: secret, scopes: scopes, endpoint: endpoint, userID: profile.userID)
    }

    /// Proves the PIN and has the new one count.
    func change(
        _ old: TypedPIN, to new: TypedPIN
    ) async throws -> PINProtocolClient.Outcome<Void> {
        try await conversation.change(from: old, to: new)
    }

    func policy() async throws -> PINPolicy { try await conversation.policy() }
}
