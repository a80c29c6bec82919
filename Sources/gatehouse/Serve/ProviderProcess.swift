// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import HTTPServer
import Logging
import Primitives
import ProviderCore
import ServiceLifecycle
import Storage
import UnixSignals

/// `gatehouse serve`: the only place where concrete parts of the provider meet.
struct ProviderProcess: Sendable {
    private let configuration: ServeConfiguration
    private let loader: ConfigurationLoader

    init(_ configuration: ServeConfiguration, loader: ConfigurationLoader) {
        self.configuration = configuration
        self.loader = loader
    }

    /// Runs until SIGTERM or SIGINT, then drains.
    ///
    /// - Throws: what is wrong with a setting, with the place where it is set.
    func run() async throws {
        do { try await start() } catch { throw configuration.origins.placed(error) }
    }

    private func start() async throws {
        let directory = try openDirectory()
        guard let lock = try directory.lock() else {
            throw CommandError(
                "another gatehouse serves from \(directory.path), or restores its database; stop it, "
                    + "or use another --data-dir", setting: "data-dir")
        }
        let databaseLock = try configuration.database.lock()
        try await checkAddresses()
        let files = try ServedFiles(configuration)
        let masterKey = try MasterKeyFile(
            configuration.options, environment: loader.environment)
        let output = LogOutput(configuration)
        let house = try await ProviderServices.open(
            configuration, directory, masterKey, log: output.logger("gatehouse"))
        do {
            try await serve(house, directory, files, output)
        } catch {
            await house.close()
            throw error
        }
        await house.close()
        house.provider.log.info("stopped")
        // The locks prevent other processes from using the files before everything is written.
        _ = consume databaseLock
        _ = consume lock
    }

    private func openDirectory() throws(CommandError) -> DataDirectory {
        do throws(CommandError) {
            return try DataDirectory.open(configuration.dataDirectory)
        } catch {
            throw configuration.origins.complaint(about: "data-dir", error)
        }
    }

    private func checkAddresses() async throws {
        for address in configuration.addresses {
            do {
                try await Listener.check(host: address.host, port: address.port)
            } catch {
                let isManagement = address == configuration.management
                throw configuration.origins.complaint(
                    about: isManagement ? "management-listen" : "listen", error)
            }
        }
    }

    private func serve(
        _ house: ProviderServices, _ directory: DataDirectory, _ files: ServedFiles,
        _ output: LogOutput
    ) async throws {
        try await StateFiles(house.provider).apply(configuration.apply)
        try await refuseConformanceInProduction(house.provider)
        let site = try await ProviderSite(house, configuration, directory, files)
        let demo = configuration.demo ? DemoApps(house.provider, configuration) : nil
        let start = StartupMessage(house, configuration, directory)
        let setUpLink = SetUpLinkFile(directory, house.provider)
        await setUpLink.removeIfDone()
        house.provider.audit.setObserver(
            SetUpLinkObserver(file: setUpLink, next: house.metrics))
        var services: [any Service] = [
            StoreSweeper(
                house.provider, metrics: house.metrics, afterwards: setUpLink.removeIfDone),
            ReloadOnSignal(
                loader: loader, level: output.level, files: files, provider: house.provider),
            SigningKeyRotator(house.provider, every: configuration.keyRotation),
        ]
        if let presence = house.presence {
            // What happened until here can have taken longer than the lease.
            try await presence.enter()
            services.append(
                ServerLeaseRenewer(
                    presence: presence, token: site.adminToken, log: house.provider.log))
        }
        if let source = house.metadata, let refresh = house.provider.metadata {
            services.append(MetadataRefresher(source: source, refresh: refresh))
        }
        if let management = try site.managementListener() { services.append(management) }
        services.append(
            try site.listener { port in
                house.readiness.isReady = true
                await start.publish(port: port)
                demo?.announce(directory)
            })
        if let demo { services += try await demo.services() }
        services.append(ReadinessUntilShutdown(house.readiness))
        try await run(services, log: house.provider.log)
    }

    /// The conformance tools register and sign in without an account: no place for people.
    private func refuseConformanceInProduction(_ provider: Provider) async throws {
        guard configuration.fidoConformance,
            try await provider.store.projects.project(named: "default")?.environment == .production
        else { return }
        throw CommandError(
            "fido-conformance is for development; the project default is one of production",
            code: .badInput, setting: "fido-conformance")
    }

    private func run(_ services: [any Service], log: Logger) async throws {
        var quiet = log
        quiet.logLevel = .warning
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        group.maximumGracefulShutdownDuration = .seconds(configuration.drainSeconds)
        try await ServiceGroup(configuration: group).run()
    }
}

/// Reports "not ready" as soon as the server is asked to stop, before it stops accepting
/// connections. It is the last service of the group, and services stop in reverse order.
private struct ReadinessUntilShutdown: Service {
    private let readiness: Readiness

    init(_ readiness: Readiness) { self.readiness = readiness }

    func run() async throws {
        try? await gracefulShutdown()
        readiness.isReady = false
    }
}
