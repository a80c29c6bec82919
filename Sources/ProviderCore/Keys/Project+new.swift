// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// The properties of an issuer URL that distinguish a developer's installation from others.
package struct IssuerAddress: Sendable {
    /// Whether the host is loopback (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291
    /// section 2.5.3).
    package let isLoopback: Bool
    package let isHTTPS: Bool
    /// `""`, or for example `/auth`, without a trailing slash.
    package let path: String

    package init(_ issuer: String) {
        isHTTPS = issuer.hasPrefix("https://")
        let place = issuer.firstRange(of: "://").map { issuer[$0.upperBound...] } ?? ""
        let authority = place.prefix { $0 != "/" }
        path = String(place[authority.endIndex...])
        let host =
            authority.hasPrefix("[")
            ? String(authority.dropFirst().prefix { $0 != "]" })
            : authority.prefix { $0 != ":" }.lowercased()
        isLoopback = Self.isLoopback(host: host)
    }

    /// Whether a host name or IP address is loopback.
    package static func isLoopback(host: String) -> Bool {
        let name = host.lowercased()
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        return name == "localhost" || name.hasSuffix(".localhost") || name == "::1"
            || (isIPv4 && parts[0] == "127")
    }

    /// Whether it is plain HTTP on loopback, as developers use it.
    package var isDevelopers: Bool { isLoopback && !isHTTPS }
}

/// The defaults of a new project. Unless the issuer is a developer's, it is a production project
/// without self-registration.
extension Project {
    package static func new(
        _ name: String, environment: Environment? = nil, at provider: Provider
    ) -> Project {
        let isDevelopers = IssuerAddress(provider.issuer).isDevelopers
        var project = Project(
            id: Identifier(now: provider.clock.now, random: provider.random), name: name,
            environment: environment ?? (isDevelopers ? .development : .production),
            createdAt: provider.clock.now)
        project.policy.selfRegistration = isDevelopers || environment == .development
        return project
    }
}
