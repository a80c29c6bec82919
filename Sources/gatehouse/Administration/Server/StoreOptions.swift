// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Primitives
import Storage

/// Which database a `store` command is about. They open it themselves, so they work when no
/// provider runs.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Configuration file of the provider (GATEHOUSE_CONFIG).", valueName: "file"))
    var config: String?
    @Option(
        help: ArgumentHelp(
            "Data directory of the provider (GATEHOUSE_DATA_DIR, gatehouse-data).", valueName: "dir"
        ))
    var dataDir: String?
    @Option(
        help: ArgumentHelp(
            "sqlite:PATH or postgres://… (GATEHOUSE_DATABASE; default: in the data directory).",
            valueName: "url"))
    var database: String?

    /// Opens the store, lets `body` use it and closes it.
    func use<Value: Sendable>(
        _ body: (any ProviderStore) async throws -> Value
    ) async throws -> Value {
        try await use(try place(), body)
    }

    private func use<Value: Sendable>(
        _ place: ServeConfiguration.Database, _ body: (any ProviderStore) async throws -> Value
    ) async throws -> Value {
        let store: any ProviderStore
        do { store = try await StoreFactory.open(place, migrating: false) } catch {
            throw SettingOrigins(try values).complaint(about: "database", error)
        }
        do {
            let value = try await body(store)
            await store.maintenance.close()
            return value
        } catch {
            await store.maintenance.close()
            guard let error = error as? StorageError else { throw error }
            throw CommandError("the store refused: \(error.reason)")
        }
    }

    /// As ``use(_:)``, and refuses while a provider serves from an SQLite database: it locks its data
    /// directory and the file. Processes on PostgreSQL have leases (``refuseWhileServed(_:now:)``).
    ///
    /// - Parameter mustExist: whether a missing SQLite file is refused.
    func useAlone<Value: Sendable>(
        mustExist: Bool = false, _ body: (any ProviderStore) async throws -> Value
    ) async throws -> Value {
        let place = try place(mustExist: mustExist)
        guard case .sqlite = place else { return try await use(place, body) }
        let directory = try DataDirectory.open(try directoryPath)
        guard let lock = try directory.lock() else {
            throw CommandError("a provider serves from \(directory.path); stop it first")
        }
        let databaseLock = try place.lock()
        let value = try await use(place, body)
        _ = consume databaseLock
        _ = consume lock
        return value
    }

    static func refuseWhileServed(
        _ store: any ProviderStore, now: Timestamp = SystemWallClock().now
    ) async throws {
        let leases = try await store.serverLeases.serverLeases(now: now)
        guard let last = leases.map(\.expiresAt).max() else { return }
        let names = leases.map(\.name).joined(separator: ", ")
        throw CommandError(
            "a provider serves from this database (\(names)); stop it first. One that was killed "
                + "is forgotten in \(max(1, (last - now).seconds)) s; --force does not wait")
    }

    private var values: SettingValues { get throws { try settings(adding: [:]) } }

    /// As `serve` finds them: flags, the environment, the configuration file.
    ///
    /// - Parameter others: further flags of the command.
    func settings(adding others: [String: [String]]) throws -> SettingValues {
        var flags = others
        if let dataDir { flags["data-dir"] = [dataDir] }
        if let database { flags["database"] = [database] }
        return try ConfigurationLoader(flags: flags, path: config).values()
    }

    private var directoryPath: String {
        get throws { SettingReader(try values).text("data-dir") ?? "gatehouse-data" }
    }

    private func place(mustExist: Bool = true) throws -> ServeConfiguration.Database {
        let place = try SettingReader(try values).database(in: try directoryPath)
        guard case .sqlite(let path) = place else { return place }
        // Opening would make an empty one; a mistyped path deserves an answer.
        guard !mustExist || FileCalls.exists(path) else {
            throw SettingOrigins(try values).complaint(
                about: "database",
                CommandError("there is no database at \(path)", code: .badInput))
        }
        return place
    }
}
