// SPDX-License-Identifier: Apache-2.0

/// Finds the configuration that serves an address, a host or a realm.
///
/// Built once for a set of configurations, then asked for every request of every app: the way
/// out for what matches nothing is one lookup of the host.
package struct SSOMatcher: Sendable {
    private let configurations: [SSOConfiguration]
    private let origins: [HTTPAddress.Origin: PathPrefixes<Int>]
    private let hosts: [String: Int]
    /// By the name whose subdomains they are.
    private let domains: [String: Int]
    private let realms: [String: Int]

    /// - Parameter configurations: of those with the same address, the first counts.
    package init(_ configurations: [SSOConfiguration]) {
        self.configurations = configurations
        var prefixes: [HTTPAddress.Origin: [(path: String, value: Int)]] = [:]
        var (hosts, domains, realms): ([String: Int], [String: Int], [String: Int]) = (
            [:], [:], [:]
        )
        for (index, configuration) in configurations.enumerated() {
            switch configuration.type {
            case .redirect:
                for text in configuration.urls ?? [] {
                    guard let address = try? HTTPAddress(text), !address.hasQuery,
                        !address.hasFragment
                    else { continue }
                    prefixes[address.origin, default: []].append((address.path, index))
                }
            case .credential:
                for pattern in (configuration.hosts ?? []).compactMap(HostPattern.init) {
                    let name = pattern.host.description
                    if pattern.coversSubdomains {
                        domains[name] = domains[name] ?? index
                    } else {
                        hosts[name] = hosts[name] ?? index
                    }
                }
                if let realm = configuration.realm { realms[realm] = realms[realm] ?? index }
            case nil: break
            }
        }
        origins = prefixes.mapValues { PathPrefixes($0) }
        (self.hosts, self.domains, self.realms) = (hosts, domains, realms)
    }

    /// The redirect extension for a request: the longest prefix wins. Query and fragment of the
    /// address do not matter; scheme, host and port must be the same.
    package func redirect(for url: String) -> SSOConfiguration? {
        guard !origins.isEmpty, let address = try? HTTPAddress(url) else { return nil }
        return origins[address.origin]?.longest(of: address.path).map { configurations[$0] }
    }

    /// The credential extension for a challenge of this host: an exact entry before one for
    /// subdomains, and of these the nearest.
    package func credential(forHost host: String) -> SSOConfiguration? {
        guard !(hosts.isEmpty && domains.isEmpty), let name = HostName(host) else { return nil }
        let index =
            hosts[name.description] ?? name.parents.lazy.compactMap { domains[String($0)] }.first
        return index.map { configurations[$0] }
    }

    /// The credential extension for a realm, whose case matters: `realm://EXAMPLE.COM`.
    package func credential(forRealm realm: String) -> SSOConfiguration? {
        realms[realm].map { configurations[$0] }
    }
}
