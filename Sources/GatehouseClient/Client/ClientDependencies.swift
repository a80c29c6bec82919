// SPDX-License-Identifier: Apache-2.0
package import PasswordHashing
package import Primitives

/// Everything a client stands on, in one value.
struct ClientDependencies: Sendable {
    let configuration: ClientConfiguration
    let connection: ProviderConnection
    let book: ProfileStore
    let attestor: (any DeviceAttestor)?
    let verifiers: [any UserVerifier]
    let passkeys: (any PasskeyAuthenticator)?
    let hub: EventBroadcaster
    let hashing: HashingPool
    let pinCosts: Argon2Parameters
    let approvalBell = ApprovalBell()

    var clock: any WallClock { connection.clock }
    var random: any RandomSource { connection.random }

    /// Where somebody signs in by the installation's key, with what their tokens are bound to.
    func endpoint(of profile: StoredProfile) async throws -> TokenEndpointClient {
        TokenEndpointClient(
            connection: connection, key: try await book.tokenKey(of: profile),
            voucher: AppAttestationSource(attestor, for: profile, in: book.store))
    }

    /// Who lets the keys of that authenticator sign; `nil` when the client was made without.
    func verifier(_ authenticator: Authenticator) -> (any UserVerifier)? {
        verifiers.first { $0.authenticator == authenticator }
    }

    /// Removes the keys of a profile's further authenticators, where their verifiers let them.
    func removeKeys(of authenticators: [StoredAuthenticator]) async {
        for known in authenticators {
            try? await verifier(known.authenticator)?.removeKey(known.key)
        }
    }

    /// The same with stores that leave nothing behind.
    func ephemeral() -> ClientDependencies {
        ClientDependencies(
            configuration: configuration, connection: connection,
            book: ProfileStore(
                issuer: book.issuer, store: InMemorySecureStore(), keys: InMemoryKeyStore(),
                random: random, patience: book.patience),
            attestor: attestor, verifiers: verifiers, passkeys: passkeys, hub: hub,
            hashing: hashing, pinCosts: pinCosts)
    }
}

/// What tests have otherwise than apps.
package struct ClientTuning: Sendable {
    /// What Argon2id costs when a PIN is sealed.
    package var pinCosts: Argon2Parameters
    package var random: any RandomSource

    package init(pinCosts: Argon2Parameters, random: any RandomSource = SystemRandomSource()) {
        self.pinCosts = pinCosts
        self.random = random
    }
}
