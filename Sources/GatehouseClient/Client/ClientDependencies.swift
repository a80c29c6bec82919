// SPDX-License-Identifier: Apache-2.0
import PIN
import Primitives

/// The capabilities of a client: its connection, its stores, and what the app has supplied.
struct ClientDependencies: Sendable {
    let configuration: ClientConfiguration
    let connection: ProviderConnection
    let profiles: ProfileStore
    let attestor: (any DeviceAttestor)?
    let verifiers: [any UserVerifier]
    let passkeys: (any PasskeyAuthenticator)?
    let events: EventBroadcaster
    let stretching: PINStretching
    let earlierPINs: EarlierPINs?
    let approvalBell = ApprovalBell()

    var clock: any WallClock { connection.clock }
    var random: any RandomSource { connection.random }

    /// The token endpoint for a profile: binds tokens to its key, and adds an assertion of the app.
    func endpoint(of profile: StoredProfile) async throws -> TokenEndpointClient {
        TokenEndpointClient(
            connection: connection, key: try await profiles.tokenKey(of: profile),
            voucher: AppAttestationSource(attestor, for: profile, in: profiles.store))
    }

    /// Returns the same capabilities with stores in memory.
    func ephemeral() -> ClientDependencies {
        ClientDependencies(
            configuration: configuration, connection: connection,
            profiles: ProfileStore(
                issuer: profiles.issuer, store: InMemorySecureStore(), keys: InMemoryKeyStore(),
                random: random, patience: profiles.patience),
            attestor: attestor, verifiers: verifiers, passkeys: passkeys, events: events,
            stretching: stretching, earlierPINs: earlierPINs)
    }
}

extension ClientDependencies {
    init(
        configuration: ClientConfiguration, store: any SecureStore, keys: any KeyStore,
        attestor: (any DeviceAttestor)?, verifiers: [any UserVerifier],
        passkeys: (any PasskeyAuthenticator)?, earlierPINs: EarlierPINs?,
        transport: (any HTTPTransport)?, time: any TimeSource, tuning: ClientTuning
    ) throws {
        try configuration.validate()
        let transport: any HTTPTransport =
            if let transport { transport } else {
                try NetworkTransport(
                    pinnedCertificates: configuration.pinnedCertificates,
                    proxy: configuration.proxy, timeout: .seconds(configuration.timeoutSeconds))
            }
        self.init(
            configuration: configuration,
            connection: ProviderConnection(
                configuration: configuration, transport: transport, store: store,
                clock: ClientClock(source: time), random: tuning.random),
            profiles: ProfileStore(
                issuer: configuration.issuer, store: store, keys: keys, random: tuning.random,
                patience: .seconds(3 * configuration.timeoutSeconds)),
            attestor: attestor, verifiers: verifiers, passkeys: passkeys,
            events: EventBroadcaster(), stretching: tuning.stretching,
            earlierPINs: earlierPINs)
    }

    // MARK: Authenticators

    /// The verifier of an authenticator; `nil` if the app has not supplied one.
    func verifier(_ authenticator: Authenticator) -> (any UserVerifier)? {
        verifiers.first { $0.authenticator == authenticator }
    }

    /// The verifier of an authenticator, if it can be used on this device.
    ///
    /// - Throws: ``IdentityError/Code/methodNotSupported``.
    func availableVerifier(
        _ authenticator: Authenticator, in domain: IdentityError.Domain
    ) async throws -> any UserVerifier {
        guard let verifier = verifier(authenticator), await verifier.isAvailable else {
            throw IdentityError(
                domain, .methodNotSupported, "\(authenticator) cannot be used on this device")
        }
        return verifier
    }

    /// The authenticators that can be used on this device.
    var availableAuthenticators: [Authenticator] {
        get async {
            var found: [Authenticator] = []
            for verifier in verifiers where await verifier.isAvailable {
                found.append(verifier.authenticator)
            }
            if let passkeys, await passkeys.isAvailable { found.append(.passkey) }
            return found
        }
    }

    /// - Throws: ``IdentityError/Code/methodNotSupported``.
    func passkeyRequests(in domain: IdentityError.Domain) async throws -> PasskeyRequests {
        guard let passkeys, await passkeys.isAvailable else {
            throw IdentityError(
                domain, .methodNotSupported, "passkeys cannot be used on this device")
        }
        return PasskeyRequests(connection: connection, passkeys: passkeys)
    }

    /// Removes the keys of authenticators. A verifier that fails does not stop the others.
    func removeKeys(of authenticators: [StoredAuthenticator]) async {
        for known in authenticators {
            try? await verifier(known.authenticator)?.removeKey(known.key)
        }
    }
}
