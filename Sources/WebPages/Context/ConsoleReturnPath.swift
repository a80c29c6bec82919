// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import Primitives

/// The page of the console that a person requested before signing in, stored in a cookie. Only
/// paths of the console are accepted.
package struct ConsoleReturnPath: Sendable {
    private static let lifetime: Int64 = 600
    /// The name of a group has up to 255 bytes, each of which can be three characters in a URL.
    private static let maximumLength = 1024
    private static let letters = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%+/".utf8)

    private let visit: PageContext
    private let name: String

    package init(_ visit: PageContext) {
        self.visit = visit
        name = visit.cookies.consolePlace
    }

    /// Where to go on; `nil` when nothing was kept, or what was kept is no page of the console.
    package var path: String? {
        guard let cookie = visit.request.cookie(name), let bytes = Base64URL.decode(cookie),
            Self.isPage(bytes)
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    package func save(_ path: String, in response: inout ServerResponse) {
        guard Self.isPage(Array(path.utf8)) else { return }
        response.setCookie(
            name, Base64URL.encode(Array(path.utf8)), isSecure: visit.request.isSecure,
            maxAge: Self.lifetime)
    }

    package func forget(in response: inout ServerResponse) {
        response.setCookie(name, "", isSecure: visit.request.isSecure, maxAge: 0)
    }

    private static func isPage(_ bytes: [UInt8]) -> Bool {
        bytes.count <= maximumLength && bytes.starts(with: "/console/".utf8)
            && bytes.allSatisfy(letters.contains)
    }
}
