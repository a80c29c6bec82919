// SPDX-License-Identifier: Apache-2.0

/// A lookup of the configuration for a URL, a host or a realm.
///
/// It is built once for a set of configurations and used for every request of every app. A request
/// without a match costs one lookup of the host.
package struct SSOMatcher: Sendable {
    private let configurations: [SSOConfiguration]
    private let origins: [HTTPAddress.Origin: PathPrefixes<Int>]
    private let hosts: [String: Int]
    /// The configurations for subdomains, by the parent's name.
    private let domains: [String: Int]
    private let realms: [String: Int]

    /// - Parameter configurations: Of those with the same URL, the first applies.
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

    /// Returns the redirect extension for a request: the one with the longest prefix. Query and
    /// fragment of the URL are ignored; scheme, host and port must be equal.
    package func redirect(for url: String) -> SSOConfiguration? {
        guard !origins.isEmpty, let address = try? HTTPAddress(url) else { return nil }
        return origins[address.origin]?.valueOfLongestPrefix(of: address.path).map {
            configurations[$0]
        }
    }

    /// Returns the credential extension for a challenge of this host: an exact entry has precedence
    /// over one for subdomains, and of these the nearest.
    package func credential(forHost host: String) -> SSOConfiguration? {
        guard !(hosts.isEmpty && domains.isEmpty), let name = HostName(host) else { return nil }
        let index =
            hosts[name.description] ?? name.parents.lazy.compactMap { domains[String($0)] }.first
        return index.map { configurations[$0] }
    }

    /// Returns the credential extension for a realm, which is case-sensitive:
    /// `realm://EXAMPLE.COM`.
    package func credential(forRealm realm: String) -> SSOConfiguration? {
        realms[realm].map { configurations[$0] }
    }
}
