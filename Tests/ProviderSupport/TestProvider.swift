// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
package import Logging
package import Mail
package import PasswordHashing
package import Primitives
package import ProviderCore
package import Storage
import StorageSQLite
package import WebAuthn

/// A provider for tests: cheap hashing, no log, and a throw-away SQLite store unless another is
/// given.
package enum TestProvider {
    package static let issuer = "http://localhost:8080"

    /// As cheap as Argon2id can be.
    package static let cheapest = Argon2Parameters(memory: 8, iterations: 1, lanes: 1)

    struct NoSecrets: Error {}

    /// A provider and nothing in its store.
    package static func empty(
        issuer: String = issuer, store: (any ProviderStore)? = nil,
        clock: any WallClock = SystemWallClock(),
        random: any RandomSource = SystemRandomSource(), mail: (any MailTransport)? = nil,
        costs: Argon2Parameters = cheapest, pool: HashingPool = HashingPool(threads: 1),
        metadata: MetadataRefresh? = nil,
        http: any OutgoingHTTP = NoOutgoingHTTP(), log: Logger? = nil
    ) async throws -> Provider {
        guard let secrets = DerivedKeys(master: Secret([UInt8](repeating: 7, count: 32))) else {
            throw NoSecrets()
        }
        let kept: any ProviderStore =
            if let store { store } else { try await SQLiteStore.temporary() }
        return Provider(
            issuer: issuer, store: kept, secrets: secrets, clock: clock, random: random,
            passwords: try PasswordHasher(
                parameters: costs, pool: pool, random: random),
            mail: mail, log: log ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            metadata: metadata, http: http)
    }

    /// A provider with the `default` project, its keys and its command-line client.
    package static func make(clock: any WallClock = SystemWallClock()) async throws -> Provider {
        let provider = try await empty(clock: clock)
        try await ProviderBootstrap.ensureDefaults(provider)
        return provider
    }
}
