// SPDX-License-Identifier: Apache-2.0

/// The target of a request, taken apart: which project, which path in it, which query.
package struct RequestTarget: Sendable, Equatable {
    package let project: String
    package let path: String
    package let query: String?

    /// `/p/NAME/rest` belongs to project NAME, everything else to `default`. The inserted form of
    /// RFC 8414 section 3.1 (`/.well-known/…/p/NAME`) is understood as well.
    package init(_ target: String) {
        let bytes = target.utf8
        var whole = target
        if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) {
            whole = String(target[..<mark])
            query = String(target[bytes.index(after: mark)...])
        } else {
            query = nil
        }
        (project, path) = Self.inserted(whole) ?? Self.prefixed(whole) ?? ("default", whole)
    }

    private static func prefixed(_ path: String) -> (String, String)? {
        guard path.utf8.starts(with: "/p/".utf8) else { return nil }
        let rest = path.utf8.dropFirst(3)
        let name = rest.prefix { $0 != UInt8(ascii: "/") }
        let inner = rest.dropFirst(name.count)
        // `default` has one address only.
        let project = name.isEmpty || name.elementsEqual("default".utf8) ? "?" : String(name)
        return (project ?? "?", inner.isEmpty ? "/" : String(inner) ?? "/")
    }

    private static func inserted(_ path: String) -> (String, String)? {
        let start = "/.well-known/".utf8
        guard path.utf8.starts(with: start) else { return nil }
        var rest = path.utf8.dropFirst(start.count)
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            rest = rest[slash...]
            if rest.starts(with: "/p/".utf8) {
                let name = String(Substring(rest.dropFirst(3)))
                guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), name != "default"
                else { return nil }
                return (name, String(path[..<slash]))
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
