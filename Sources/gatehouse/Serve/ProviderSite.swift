// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import CommandLineSupport
import HTTPServer
import Platform
import Primitives
import ProviderAdministration
import ProviderCore
import Server
import ServiceLifecycle

/// Everything the provider answers, and where it listens.
struct ProviderSite: Sendable {
    private let tls: TLSIdentity?
    private let house: ProviderServices
    private let configuration: ServeConfiguration
    private let dispatcher: Dispatcher
    /// The token of this process, which is renewed while it serves.
    let adminToken: AdminToken

    init(
        _ house: ProviderServices, _ configuration: ServeConfiguration, _ directory: DataDirectory,
        _ files: ServedFiles
    ) async throws {
        self.house = house
        self.configuration = configuration
        tls = files.tls
        let provider = house.provider
        adminToken = try await Self.adminToken(provider, configuration, directory)
        let routes = try ProviderRoutes(
            provider, limits: configuration.attempts,
            adminToken: adminToken,
            backups: BackupDirectory(
                path: try directory.makeBackups(), host: Machine.hostName ?? "localhost"),
            sign: files.profileSigning?.sign,
            fidoConformance: configuration.fidoConformance)
        var groups = routes.groups
        if configuration.management == nil || configuration.publicMetrics {
            groups.append(Self.health(house, withMetrics: configuration.publicMetrics))
        }
        dispatcher = Dispatcher(provider: provider, groups: groups, errorPage: routes.errorPage)
    }

    /// - Parameter onReady: called with the port once connections are accepted.
    func listener(
        onReady: @escaping @Sendable (Int) async -> Void
    ) throws -> any Service {
        var limits = configuration.connections
        limits.total = OpenFiles.room(for: limits.total, house.provider.log)
        let options = Listener.Options(
            host: configuration.listen.host, port: configuration.listen.port, tls: tls,
            proxies: TrustedProxies(configuration.trustedProxies), limits: limits)
        return try Listener(
            options, dispatcher: dispatcher, observer: house.metrics
        ).service(onReady: onReady)
    }

    /// Health and metrics on a listener of their own, which the world does not reach.
    func managementListener() throws -> (any Service)? {
        guard let address = configuration.management else { return nil }
        let health = Dispatcher(
            provider: house.provider, groups: [Self.health(house, withMetrics: true)])
        return try Listener(
            Listener.Options(host: address.host, port: address.port), dispatcher: health
        ).service { _ in }
    }

    private static func health(_ house: ProviderServices, withMetrics: Bool) -> HealthRoutes {
        HealthRoutes(
            readiness: house.readiness, isAvailable: house.provider.availability.check,
            metrics: withMetrics ? house.metrics : nil,
            version: Version.text, build: Version.build)
    }

    private static func adminToken(
        _ provider: Provider, _ configuration: ServeConfiguration, _ directory: DataDirectory
    ) async throws -> AdminToken {
        let token = try directory.adminToken(orNew: AdminToken.generate(provider.random))
        let path = directory.adminToken
        let lifetime = configuration.isShared ? ServerPresence.lifetime : nil
        return try await AdminToken(token, provider, lifetime: lifetime) { fresh in
            try SecretFile.replace(path, fresh.reveal() + [UInt8(ascii: "\n")])
        }
    }
}
