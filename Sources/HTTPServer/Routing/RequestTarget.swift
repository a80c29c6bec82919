// SPDX-License-Identifier: Apache-2.0

/// The target of a request, taken apart: which project, which path in it, which query.
package struct RequestTarget: Sendable, Equatable {
    package let project: String
    package let path: String
    package let query: String?

    /// What is not below the issuer's path: no project has this name, and no route this path.
    private static let nowhere = ("?", "")

    /// `/p/NAME/rest` belongs to project NAME, everything else to `default`. The inserted form of
    /// RFC 8414 section 3.1 (`/.well-known/NAME/p/PROJECT`) is understood as well.
    ///
    /// - Parameters:
    ///   - base: the path of the installation's issuer: `""`, or as `/auth`. It comes before every
    ///     path, and in the inserted form after the well-known name.
    ///   - ofHost: paths that are answered at the root of the host too, for the default project.
    package init(_ target: String, base: String = "", ofHost: Set<String> = []) {
        let bytes = target.utf8
        var whole = target
        if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) {
            whole = String(target[..<mark])
            query = String(target[bytes.index(after: mark)...])
        } else {
            query = nil
        }
        if !base.isEmpty, ofHost.contains(whole) {
            (project, path) = ("default", whole)
        } else {
            (project, path) =
                Self.inserted(whole, base) ?? Self.rest(of: whole, below: base).map(Self.prefixed)
                ?? Self.nowhere
        }
    }

    /// `/auth/token` below `/auth` is `/token`, and `/auth` itself is `/`.
    private static func rest(of path: String, below base: String) -> String? {
        guard !base.isEmpty else { return path }
        guard path.hasPrefix(base) else { return nil }
        let rest = path.utf8.dropFirst(base.utf8.count)
        guard let first = rest.first else { return "/" }
        return first == UInt8(ascii: "/") ? String(Substring(rest)) : nil
    }

    private static func prefixed(_ path: String) -> (String, String) {
        guard path.hasPrefix("/p/") else { return ("default", path) }
        let rest = path.utf8.dropFirst(3)
        let name = rest.prefix { $0 != UInt8(ascii: "/") }
        let inner = rest.dropFirst(name.count)
        // `default` has one address only.
        let project = name.isEmpty || name.elementsEqual("default".utf8) ? "?" : String(name)
        return (project ?? "?", inner.isEmpty ? "/" : String(inner) ?? "/")
    }

    /// `/.well-known/NAME`, and after it the path of an issuer.
    private static func inserted(_ path: String, _ base: String) -> (String, String)? {
        let start = "/.well-known/"
        guard path.hasPrefix(start), path.utf8.last != UInt8(ascii: "/"),
            let slash = path.utf8.dropFirst(start.utf8.count).firstIndex(of: UInt8(ascii: "/")),
            let place = rest(of: String(path[slash...]), below: base)
        else { return nil }
        let (project, inner) = prefixed(place)
        return inner == "/" && project != "?" ? (project, String(path[..<slash])) : nil
    }
}
