// SPDX-License-Identifier: Apache-2.0

/// The target of a request, taken apart: which project, which path in it, which query.
package struct RequestTarget: Sendable, Equatable {
    package let project: String
    package let path: String
    package let query: String?

    /// `/p/NAME/rest` belongs to project NAME, everything else to `default`. The inserted form of
    /// RFC 8414 section 3.1 (`/.well-known/…/p/NAME`) is understood as well.
    package init(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = parts.first.map(String.init) ?? "/"
        query = parts.count > 1 ? String(parts[1]) : nil
        if let inserted = Self.inserted(whole) {
            (project, path) = inserted
        } else if whole.hasPrefix("/p/") {
            let rest = whole.dropFirst(3)
            let name = rest.prefix { $0 != "/" }
            let inner = rest.dropFirst(name.count)
            // `default` has one address only.
            project = name.isEmpty || name == "default" ? "?" : String(name)
            path = inner.isEmpty ? "/" : String(inner)
        } else {
            project = "default"
            path = whole
        }
    }

    private static func inserted(_ path: String) -> (String, String)? {
        guard path.hasPrefix("/.well-known/"), let range = path.firstRange(of: "/p/") else {
            return nil
        }
        let name = String(path[range.upperBound...])
        guard !name.isEmpty, !name.contains("/"), name != "default" else { return nil }
        return (name, String(path[..<range.lowerBound]))
    }
}
