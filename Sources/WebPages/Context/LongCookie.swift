// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// A value in up to two cookies: browsers store 4 KiB in one (RFC 6265 section 6.1).
package struct LongCookie: Sendable {
    private let names: [String]
    private static let maximumLength = 3800

    init(_ name: String) { names = [name, name + "-more"] }

    func value(in request: ServerRequest) -> String? {
        guard let first = request.cookie(names[0]) else { return nil }
        return first + (request.cookie(names[1]) ?? "")
    }

    /// - Parameter value: ASCII characters; empty to remove the cookie.
    func set(
        _ value: String, in response: inout ServerResponse, isSecure: Bool, maxAge: Int64,
        path: String
    ) {
        let parts = [value.prefix(Self.maximumLength), value.dropFirst(Self.maximumLength)]
        for (name, part) in zip(names, parts) {
            response.setCookie(
                name, String(part), isSecure: isSecure, maxAge: part.isEmpty ? 0 : maxAge,
                path: path)
        }
    }
}
