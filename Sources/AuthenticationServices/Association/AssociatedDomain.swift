// SPDX-License-Identifier: Apache-2.0
import CTAP

/// One entry of an app's associated domains: `webcredentials:HOST[:PORT][?mode=developer]`.
package struct AssociatedDomain: Sendable, Equatable {
    /// The host, without the `*.` of a wildcard.
    package let host: String
    /// Whether the entry is for the hosts below ``host``.
    package let isWildcard: Bool
    package let port: Int?
    /// Whether the entry asks for developer mode.
    package let isForDevelopers: Bool

    /// `nil` for another service, or an entry that cannot be read.
    package init?(_ entry: String) {
        let service = "webcredentials:"
        guard entry.hasPrefix(service) else { return nil }
        let parts = entry.dropFirst(service.count).split(
            separator: "?", omittingEmptySubsequences: false)
        guard parts.count <= 2, let place = parts.first else { return nil }
        isForDevelopers = parts.dropFirst().first == "mode=developer"
        let halves = place.split(separator: ":", omittingEmptySubsequences: false)
        guard halves.count <= 2, let name = halves.first else { return nil }
        if halves.count == 2 {
            guard let number = Int(halves[1]), 1...65_535 ~= number else { return nil }
            port = number
        } else {
            port = nil
        }
        isWildcard = name.hasPrefix("*.")
        host = String(isWildcard ? name.dropFirst(2) : name)
        guard DomainName.isValid(host) else { return nil }
    }

    package func covers(_ domain: String) -> Bool {
        isWildcard ? domain.hasSuffix("." + host) : domain == host
    }

    /// Whether the entry's host is this machine: only there can developer mode be had.
    var isLocal: Bool { host == "localhost" || host.hasSuffix(".localhost") }

    /// The origin of a development server.
    var developerOrigin: String { "http://\(host)" + (port.map { ":\($0)" } ?? "") }
}
