// SPDX-License-Identifier: Apache-2.0
import Primitives
package import SSOExtensions
package import SingleSignOn
import Synchronization

/// The installed extensions (docs/extensions.md), each in a separate process; profiles that choose
/// none of them use another source.
package final class InstalledExtensions: ExtensionSource {
    private struct Running {
        let revision: String
        let team: String
        let host: ExtensionHost
    }

    private let folder: ExtensionFolder
    private let otherwise: any ExtensionSource
    private let report: @Sendable (String, ExtensionEvent) -> Void
    private let hosts = Mutex<[String: Running]>([:])

    /// - Parameters:
    ///   - otherwise: asked for extensions that are not installed.
    ///   - report: told what becomes of the processes, with the extension's identifier.
    package init(
        folder: ExtensionFolder, otherwise: any ExtensionSource,
        report: @escaping @Sendable (String, ExtensionEvent) -> Void = { _, _ in }
    ) {
        self.folder = folder
        self.otherwise = otherwise
        self.report = report
    }

    package func find(_ configuration: SSOConfiguration) -> InstalledExtension? {
        guard let identifier = configuration.extensionIdentifier,
            folder.identifiers.contains(identifier)
        else { return otherwise.find(configuration) }
        guard let (manifest, host) = chosen(identifier, configuration),
            manifest.capabilities.contains(.platformSSO)
        else { return nil }
        return InstalledExtension(
            ProcessExtension(host), revision: Base64URL.encode(manifest.digest),
            hasKeyService: manifest.capabilities.contains(.keyService))
    }

    package func authorization(
        for configuration: SSOConfiguration
    ) -> (any AuthorizationExtension)? {
        guard let identifier = configuration.extensionIdentifier,
            folder.identifiers.contains(identifier)
        else { return otherwise.authorization(for: configuration) }
        guard let (manifest, host) = chosen(identifier, configuration),
            manifest.capabilities.contains(
                configuration.type == .credential ? .credential : .redirect)
        else { return nil }
        return ProcessExtension(host)
    }

    /// One that is there and not as it should be has no substitute. The team is what a profile pins
    /// the key with, so none is no choice.
    private func chosen(
        _ identifier: String, _ configuration: SSOConfiguration
    ) -> (ExtensionManifest, ExtensionHost)? {
        guard let team = configuration.teamIdentifier,
            let manifest = try? folder.manifest(of: identifier, team: team)
        else { return nil }
        return (manifest, host(of: identifier, team, Base64URL.encode(manifest.digest)))
    }

    /// One process for each extension, however often it is looked for; another program is another
    /// extension.
    private func host(of identifier: String, _ team: String, _ revision: String) -> ExtensionHost {
        hosts.withLock { hosts in
            if let running = hosts[identifier], running.revision == revision, running.team == team {
                return running.host
            }
            let report = report
            let host = ExtensionHost(InstalledProgram(identifier, team: team, in: folder)) {
                report(identifier, $0)
            }
            hosts[identifier] = Running(revision: revision, team: team, host: host)
            return host
        }
    }
}
