// SPDX-License-Identifier: Apache-2.0
package import PasswordHashing
package import Primitives

/// Everything a client stands on, in one value.
struct ClientSystem: Sendable {
    let configuration: ClientConfiguration
    let connection: ProviderConnection
    let book: ProfileBook
    let attestor: (any DeviceAttestor)?
    let hub: EventHub
    let hashing: HashingPool
    let pinCosts: Argon2Parameters

    var clock: any WallClock { connection.clock }
    var random: any RandomSource { connection.random }

    /// The same with stores that leave nothing behind.
    func ephemeral() -> ClientSystem {
        ClientSystem(
            configuration: configuration, connection: connection,
            book: ProfileBook(
                store: InMemoryCredentialStore(), keys: InMemoryKeyStore(), random: random),
            attestor: attestor, hub: hub, hashing: hashing, pinCosts: pinCosts)
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
