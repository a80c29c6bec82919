// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Logging
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// What a server says when it is ready: where it is, and at the first start how to get in.
struct StartupMessage: Sendable {
    private let house: ProviderServices
    private let configuration: ServeConfiguration
    private let directory: DataDirectory

    init(_ house: ProviderServices, _ configuration: ServeConfiguration, _ directory: DataDirectory)
    {
        self.house = house
        self.configuration = configuration
        self.directory = directory
    }

    func publish(port: Int) async {
        do {
            try await write(port: port)
        } catch {
            // It serves all the same; commands on this machine will not find it by themselves.
            house.provider.log.error("start notice failed", metadata: ["error": "\(error)"])
        }
    }

    private func write(port: Int) async throws {
        let provider = house.provider
        try directory.writeServer(url: url(port: port), issuer: configuration.issuer)
        provider.log.info(
            "ready",
            metadata: [
                "issuer": "\(configuration.issuer)",
                "listen": "\(configuration.listen.host):\(port)",
                "version": "\(Version.text)",
            ])
        provider.log.notice(
            "administrators open the console", metadata: ["url": "\(configuration.issuer)/console"])
        guard house.isNew, let tenant = try await provider.tenant(named: "default") else { return }
        let link = SetUpLink(provider, project: tenant.project.id, now: provider.clock.now)
        let address = try await link.issue(for: tenant)
        try FirstSecret(directory: directory, log: provider.log).report(
            "first start: open the link once to become administrator", "link", address,
            file: DataDirectory.setUpLink)
        provider.log.notice(
            "first start: the token of the Admin API was written",
            metadata: ["file": "\(directory.adminToken)"])
    }

    /// Where a command on this machine reaches the server.
    private func url(port: Int) -> String {
        // A certificate is for the issuer's name, not for an address.
        guard configuration.tls == nil else { return configuration.issuer }
        let host = configuration.listen.host
        let reachable = ["0.0.0.0", "::", "*"].contains(host) ? "127.0.0.1" : host
        let place = reachable.contains(":") ? "[\(reachable)]" : reachable
        return "http://\(place):\(port)\(IssuerAddress(configuration.issuer).path)"
    }
}
