// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Primitives
import Server
import ServiceLifecycle

/// Everything the provider answers, and where it listens.
struct ProviderSite: Sendable {
    private let tls: TLSIdentity?
    private let house: ProviderServices
    private let configuration: ServeConfiguration
    private let dispatcher: Dispatcher

    init(
        _ house: ProviderServices, _ configuration: ServeConfiguration, _ directory: DataDirectory,
        _ files: ServedFiles
    ) throws {
        self.house = house
        self.configuration = configuration
        tls = files.tls
        let provider = house.provider
        let web = try WebResources()
        let flows = EndpointFlows(provider, translations: web.translations)
        let pages = try Pages(
            provider: provider, web: web, flow: flows, devices: flows, signOuts: flows,
            limits: configuration.attempts)
        let errors = ErrorPages(pages: pages)
        let notices = LocalizedNotificationComposer(web.translations)
        let admin = AdminAPI(
            provider, token: try Self.adminToken(provider, directory), notices: notices,
            backupDirectory: try directory.makeBackups())
        var groups: [any HTTPRouteGroup] =
            pages.groups + [
                OAuthRoutes(
                    provider: provider, translations: web.translations, errorPage: errors.page),
                RegistrationRoutes(provider, limits: configuration.attempts, notices: notices),
                EntitlementRoutes(provider, notices: notices),
                PlatformSSORoutes(provider, limits: configuration.attempts, notices: notices),
                WebLoginRoutes(provider, notices: notices, errorPage: errors.page),
                SetupAssistantRoutes(
                    provider, notices: notices, errorPage: errors.page,
                    sign: files.profileSigning?.sign),
                admin, ConsolePages(pages, admin),
            ]
        if configuration.fidoConformance { groups.append(ConformanceRoutes(provider)) }
        if configuration.management == nil || configuration.publicMetrics {
            groups.append(Self.health(house, withMetrics: configuration.publicMetrics))
        }
        dispatcher = Dispatcher(provider: provider, groups: groups, errorPage: errors.page)
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
            readiness: house.readiness, metrics: withMetrics ? house.metrics : nil,
            version: Version.text, build: Version.build)
    }

    private static func adminToken(
        _ provider: Provider, _ directory: DataDirectory
    ) throws -> AdminToken {
        let token = try directory.adminToken(orNew: AdminToken.generate(provider.random))
        let path = directory.adminToken
        return AdminToken(token, secrets: provider.secrets) { fresh in
            try SecretFile.replace(path, fresh.reveal() + [UInt8(ascii: "\n")])
        }
    }
}
