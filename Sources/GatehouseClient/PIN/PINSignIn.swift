// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import PIN

/// A sign-in with a PIN: resolves the stored state, then tries the entered PIN.
struct PINSignIn: Sendable {
    private let client: PINProtocolClient
    private let state: PINDeviceState
    private let endpoint: TokenEndpointClient
    private let profile: StoredProfile
    private let scopes: [String]

    /// - Parameter scopes: With `nil` those of the configuration.
    init(
        dependencies: ClientDependencies, profile: StoredProfile, scopes: [String]? = nil
    ) async throws {
        client = try PINProtocolClient(
            dependencies: dependencies, profileID: profile.id,
            key: try await dependencies.profiles.key(of: profile))
        state = try await client.resolvedState()
        try client.checkSupport(state)
        endpoint = try await dependencies.endpoint(of: profile)
        self.profile = profile
        self.scopes = scopes ?? dependencies.configuration.scopes
    }

    /// Tries a PIN that was typed. If version 1 of the protocol sealed the secret, the right PIN is
    /// changed to itself first: no secret is sealed twice, so there is a new one.
    func run(_ typed: TypedPIN) async throws -> PINProtocolClient.Outcome<StoredTokens> {
        guard state.isOutdated else { return try await prove(try await client.open(typed, state)) }
        if case .wrong(let attempts) = try await client.change(from: typed, to: typed) {
            return .wrong(attempts)
        }
        return try await prove(try await client.open(typed, try await client.resolvedState()))
    }

    /// Signs in with a decrypted secret; returns `nil` if the provider refuses it.
    ///
    /// - Parameter next: The nonce that the response to a registration contains.
    func run(with secret: OpenedPINSecret, next: ServerChallenge?) async throws -> StoredTokens? {
        guard case .right(let tokens) = try await prove(secret, next) else { return nil }
        return tokens
    }

    private func prove(
        _ secret: OpenedPINSecret, _ next: ServerChallenge? = nil
    ) async throws -> PINProtocolClient.Outcome<StoredTokens> {
        try await client.signIn(
            with: secret, scopes: scopes, endpoint: endpoint, userID: profile.userID, next: next)
    }

    /// Proves the PIN and has the new one count.
    func change(
        _ old: TypedPIN, to new: TypedPIN
    ) async throws -> PINProtocolClient.Outcome<Void> {
        try await client.change(from: old, to: new)
    }

    func policy() async throws -> PINPolicy { try await client.policy() }
}
