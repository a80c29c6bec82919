// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// Finds the route of a path: whole paths in a dictionary, patterns with braces after them.
package struct RouteTable: Sendable {
    package enum Match: Sendable {
        case found(Route, parameters: [String: String])
        /// The path exists, with other methods.
        case methodNotAllowed(by: [Route])
        case notFound
    }

    private struct Pattern: Sendable {
        var segments: [Substring]
        var routes: [Route]
    }

    private var exact: [String: [Route]] = [:]
    private var patterns: [Pattern] = []
    package let all: [Route]

    package init(_ groups: [any RouteGroup]) {
        all = groups.flatMap { $0.routes() }
        let byPattern = Dictionary(grouping: all, by: \.pattern)
        for (pattern, routes) in byPattern.sorted(by: { $0.key < $1.key }) {
            if pattern.contains("{") {
                patterns.append(Pattern(segments: Self.segments(pattern[...]), routes: routes))
            } else {
                exact[pattern] = routes
            }
        }
    }

    /// HEAD is answered by the route of GET.
    package func match(_ method: HTTPRequest.Method, path: String) -> Match {
        if let routes = exact[path] { return choose(method, among: routes, parameters: [:]) }
        guard !patterns.isEmpty else { return .notFound }
        let segments = Self.segments(path[...])
        for pattern in patterns {
            if let parameters = Self.parameters(of: segments, in: pattern.segments) {
                return choose(method, among: pattern.routes, parameters: parameters)
            }
        }
        return .notFound
    }

    private func choose(
        _ method: HTTPRequest.Method, among routes: [Route], parameters: [String: String]
    ) -> Match {
        let wanted = method == .head ? .get : method
        if let route = routes.first(where: { $0.method == wanted }) {
            return .found(route, parameters: parameters)
        }
        return .methodNotAllowed(by: routes)
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
                    let value = try? Form.decode(Array(segment.utf8)[...])
                else { return nil }
                values[String(expected.dropFirst().dropLast())] = value
            } else if segment != expected {
                return nil
            }
        }
        return values
    }
}
