// SPDX-License-Identifier: Apache-2.0

/// One entry of an app's associated domains: `service:host[:port][?mode=…]`.
package struct DomainEntry: Sendable, Equatable {
    package enum Mode: String, Sendable {
        /// Apps in development, if the system's switch is on.
        case developer
        /// For managed devices: the file is fetched from the domain itself, if a payload allows it.
        case managed
        case developerAndManaged = "developer+managed"
    }

    package enum ParseError: String, Error, Sendable {
        case noService
        case unknownService
        case scheme
        case path
        case port
        case mode
        case host
    }

    package let service: AssociatedService
    package let host: HostName
    /// Whether it matches the hosts below ``host``: `*.example.com`.
    package let isWildcard: Bool
    package let port: UInt16?
    package let mode: Mode?

    package init(_ text: String) throws(ParseError) {
        guard let colon = text.firstIndex(of: ":") else { throw .noService }
        guard let service = AssociatedService(rawValue: String(text[..<colon])) else {
            throw .unknownService
        }
        self.service = service
        let rest = text[text.index(after: colon)...]
        let parts = rest.split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        mode = try parts.dropFirst().first.map { (query) throws(ParseError) -> Mode in
            guard query.hasPrefix("mode="), let mode = Mode(rawValue: String(query.dropFirst(5)))
            else { throw .mode }
            return mode
        }
        let place = parts.first ?? ""
        guard !place.contains("//") else { throw .scheme }
        guard !place.contains("/") else { throw .path }
        let halves = place.split(separator: ":", omittingEmptySubsequences: false)
        port = try Self.port(halves.dropFirst())
        let name = halves.first ?? ""
        isWildcard = name.hasPrefix("*.")
        guard let host = HostName(isWildcard ? name.dropFirst(2) : name) else { throw .host }
        self.host = host
    }

    private static func port(_ parts: ArraySlice<Substring>) throws(ParseError) -> UInt16? {
        guard let digits = parts.first else { return nil }
        guard parts.count == 1, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let number = UInt16(digits), number > 0
        else { throw .port }
        return number
    }

    /// Whether the entry matches a host. A wildcard matches only hosts below its host.
    package func covers(_ name: HostName) -> Bool {
        isWildcard ? name.description.hasSuffix("." + host.description) : name == host
    }
}

extension DomainEntry.ParseError {
    package var reason: String {
        switch self {
        case .noService: "there is no service before the host"
        case .unknownService: "the service is unknown"
        case .scheme: "there is a scheme; only the host belongs here"
        case .path: "there is a path; only the host belongs here"
        case .port: "the port is not a number up to 65535"
        case .mode: "the mode is neither developer nor managed"
        case .host: "the host is none"
        }
    }
}
