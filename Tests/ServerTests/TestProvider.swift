// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Logging
import PasswordHashing
import Primitives
import Storage
import StorageSQLite
import Support

/// A provider on a throw-away SQLite store, with the `default` project and cheap hashing.
enum TestProvider {
    static let issuer = "http://localhost:8080"

    static func make(clock: any WallClock = SystemWallClock()) async throws -> Provider {
        let random = SystemRandomSource()
        let provider = Provider(
            issuer: issuer, store: try await SQLiteStore.temporary(),
            secrets: try secrets(), clock: clock, random: random,
            passwords: try PasswordHasher(
                parameters: .init(memory: 64, iterations: 1, lanes: 1),
                pool: HashingPool(threads: 1), random: random),
            mail: nil, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await ProviderSetUp.ensureDefaults(provider)
        return provider
    }

    private static func secrets() throws -> ServerSecrets {
        guard let secrets = ServerSecrets(master: Secret([UInt8](repeating: 1, count: 32))) else {
            throw CancellationError()
        }
        return secrets
    }
}
