// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// Finds the route of a path: whole paths in a dictionary, patterns with braces after them.
package struct RouteTable: Sendable {
    package enum Match: Sendable {
        case found(HTTPRoute, parameters: [String: String])
        /// The path exists, with other methods.
        case methodNotAllowed(by: [HTTPRoute])
        case notFound
    }

    private struct Pattern: Sendable {
        var segments: [Substring]
        var routes: [HTTPRoute]
    }

    private var exact: [String: [HTTPRoute]] = [:]
    private var patterns: [Pattern] = []
    package let all: [HTTPRoute]
    /// Paths that the host has whatever the issuer's path is.
    package let ofHost: Set<String>

    package init(_ groups: [any HTTPRouteGroup]) {
        all = groups.flatMap { $0.routes() }
        ofHost = Set(all.filter(\.isOfHost).map(\.pattern))
        let byPattern = Dictionary(grouping: all, by: \.pattern)
        for (pattern, routes) in byPattern.sorted(by: { $0.key < $1.key }) {
            if pattern.contains("{") {
                patterns.append(Pattern(segments: Self.segments(pattern[...]), routes: routes))
            } else {
                exact[pattern] = routes
            }
        }
    }

    /// Returns the route for a request. HEAD uses the route of GET. If a pattern does not have the
    /// method, the next one is tried, because a resource can have the name of an action
    /// (`clients/{client}` and `clients/create`).
    package func match(_ method: HTTPRequest.Method, path: String) -> Match {
        let wanted = method == .head ? .get : method
        var others = exact[path] ?? []
        if let route = others.first(where: { $0.method == wanted }) {
            return .found(route, parameters: [:])
        }
        guard !patterns.isEmpty else { return Self.refusal(others) }
        let segments = Self.segments(path[...])
        for pattern in patterns {
            guard let parameters = Self.parameters(of: segments, in: pattern.segments) else {
                continue
            }
            if let route = pattern.routes.first(where: { $0.method == wanted }) {
                return .found(route, parameters: parameters)
            }
            others += pattern.routes
        }
        return Self.refusal(others)
    }

    private static func refusal(_ others: [HTTPRoute]) -> Match {
        others.isEmpty ? .notFound : .methodNotAllowed(by: others)
    }

    private static func segments(_ path: Substring) -> [Substring] {
        path.split(separator: "/", maxSplits: 16, omittingEmptySubsequences: false)
    }

    private static func parameters(
        of path: [Substring], in pattern: [Substring]
    ) -> [String: String]? {
        guard path.count == pattern.count else { return nil }
        var values: [String: String] = [:]
        for (segment, expected) in zip(path, pattern) {
            if expected.first == "{", expected.last == "}" {
                guard !segment.isEmpty,
                    let value = try? FormParameters.decode(Array(segment.utf8)[...])
                else { return nil }
                values[String(expected.dropFirst().dropLast())] = value
            } else if segment != expected {
                return nil
            }
        }
        return values
    }
}
