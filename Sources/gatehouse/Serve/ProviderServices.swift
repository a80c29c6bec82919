// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import HTTPServer
import IdentityProvider
import Logging
import Mail
import PasswordHashing
import Platform
import Primitives
import ProviderCore
import Storage

/// The provider and the services that it uses: store, secrets, hashing, mail, metrics.
struct ProviderServices: Sendable {
    let provider: Provider
    let metrics: Metrics
    let readiness = Readiness()
    /// The source of authenticator metadata, if one is configured.
    let metadata: MetadataSource?
    /// Whether this was the first start of the installation.
    let isNew: Bool
    /// The lease of this process, if processes share the database.
    private(set) var presence: ServerPresence?

    /// - Parameter masterKey: opens the master key; its errors are those of the settings.
    static func open(
        _ configuration: ServeConfiguration, _ directory: DataDirectory,
        _ masterKey: MasterKeyFile, log: Logger
    ) async throws -> ProviderServices {
        let commits = CommitCounter()
        let store = try await store(configuration, counting: commits)
        let presence =
            configuration.isShared
            ? ServerPresence(store, clock: SystemWallClock(), random: SystemRandomSource()) : nil
        do {
            do { try await presence?.enter() } catch {
                throw configuration.origins.complaint(about: "database", error)
            }
            var services = try await open(
                configuration, directory, masterKey, store, commits, log: log)
            services.presence = presence
            return services
        } catch {
            await presence?.leave()
            await store.maintenance.close()
            throw error
        }
    }

    private static func store(
        _ configuration: ServeConfiguration, counting commits: CommitCounter
    ) async throws -> any ProviderStore {
        do {
            return try await StoreFactory.open(
                configuration.database, migrating: true,
                connections: configuration.databaseConnections, counting: commits,
                auditRetention: configuration.auditRetention)
        } catch {
            throw configuration.origins.complaint(about: "database", error)
        }
    }

    private static func open(
        _ configuration: ServeConfiguration, _ directory: DataDirectory,
        _ masterKey: MasterKeyFile, _ store: any ProviderStore, _ commits: CommitCounter,
        log: Logger
    ) async throws -> ProviderServices {
        let isNew = try await store.projects.project(named: "default") == nil
        let secrets: DerivedKeys
        do {
            secrets = try await MasterKeyCheck(store: store, file: masterKey).secrets()
        } catch {
            let setting = (error as? CommandError)?.setting ?? "master-key-file"
            throw configuration.origins.complaint(about: setting, error)
        }
        let random = SystemRandomSource()
        let cores = Machine.processorCount
        let threads = configuration.hashThreads ?? HashingPool.threads(forCores: cores)
        let passwords = try PasswordHasher(
            parameters: configuration.argon2,
            pool: HashingPool(threads: threads, capacity: configuration.passwordQueue),
            random: random)
        let clock = SystemWallClock()
        let metadata = configuration.metadata.map {
            MetadataSource(
                $0, keptAt: directory.metadata, origin: configuration.origins["metadata"],
                log: log)
        }
        let provider = Provider(
            issuer: configuration.issuer, store: store, secrets: secrets,
            clock: clock, random: random, passwords: passwords,
            mail: try configuration.mail.map { try SMTPTransport(server: $0.server) }, log: log,
            mailSender: configuration.mail?.from,
            metadata: try metadata?.makeRefresh(clock: clock),
            http: OutgoingWebClient(configuration.outgoing))
        let metrics = Metrics()
        provider.audit.setObserver(metrics)
        try await ProviderBootstrap.ensureDefaults(
            provider, environment: configuration.environment)
        ProcessMetrics(provider, commits: commits).add(to: metrics)
        return ProviderServices(
            provider: provider, metrics: metrics, metadata: metadata, isNew: isNew)
    }

    /// Writes what is still only in memory, then lets go of the database.
    func close() async {
        await provider.audit.flush()
        await presence?.leave()
        await provider.store.maintenance.close()
    }
}
