// SPDX-License-Identifier: Apache-2.0

/// A redirect URI of RFC 6749 section 3.1.2, taken apart only as far as matching needs.
///
/// Matching is the equality of strings (RFC 9700 section 2.1). The one exception is the port of a
/// loopback address, which a native client chooses when it starts (RFC 8252 section 7.3).
package struct RedirectURI: Sendable, Equatable {
    package let text: String
    package let scheme: String
    /// `nil` for private-use schemes without authority (`com.example.app:/callback`).
    package let host: String?
    package let port: String?
    /// Path and query as written.
    package let rest: String

    /// - Returns: `nil` for an invalid redirect URI: relative, with a fragment or user information,
    ///   with characters outside RFC 3986, of a scheme that runs code, or plain `http` to another
    ///   device.
    package init?(_ text: String) {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy(Self.isURILetter),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        let scheme = String(text[..<colon])
        guard Self.isScheme(scheme), !Self.dangerous.contains(scheme) else { return nil }
        let remainder = text[text.index(after: colon)...]
        self.text = text
        self.scheme = scheme
        if scheme == "https" || scheme == "http" {
            guard let parts = Authority(remainder) else { return nil }
            (host, port, rest) = (parts.host, parts.port, parts.rest)
            guard scheme == "https" || isLoopbackAddress || host == "localhost" else { return nil }
        } else {
            // RFC 8252 section 7.1: private-use schemes are reversed domain names.
            guard scheme.contains("."), !remainder.isEmpty else { return nil }
            (host, port, rest) = (nil, nil, String(remainder))
        }
    }

    /// Whether the host is a loopback address (not a name, which a resolver could redirect).
    package var isLoopbackAddress: Bool { host == "127.0.0.1" || host == "[::1]" }

    /// `scheme://host:port`, for a content security policy; the scheme alone without authority.
    package var origin: String {
        guard let host else { return "\(scheme):" }
        return "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")"
    }

    /// Whether a request that names this one may use `registered`.
    package func matches(_ registered: RedirectURI) -> Bool {
        if text == registered.text { return true }
        return scheme == "http" && registered.scheme == "http" && isLoopbackAddress
            && host == registered.host && rest == registered.rest
    }

    /// The registered URI among `registered` that `requested` may use, or `nil`.
    package static func match(_ requested: String, among registered: [RedirectURI]) -> RedirectURI?
    {
        guard let requested = RedirectURI(requested),
            registered.contains(where: { requested.matches($0) })
        else { return nil }
        return requested
    }

    private static let dangerous: Set<String> = [
        "javascript", "data", "vbscript", "file", "about", "blob", "ws", "wss", "ftp", "mailto",
    ]

    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
        else { return false }
        return text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".")
        }
    }

    /// Whether it is a character of RFC 3986 except the number sign; no backslash, quote, angle
    /// bracket or space.
    private static func isURILetter(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte)
            && ![
                UInt8(ascii: "#"), UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
                UInt8(ascii: "|"), UInt8(ascii: "}"),
            ].contains(byte)
    }

    /// `//host:port` and what follows.
    private struct Authority {
        var host: String
        var port: String?
        var rest: String

        init?(_ text: Substring) {
            guard text.hasPrefix("//") else { return nil }
            let body = text.dropFirst(2)
            let end = body.firstIndex { $0 == "/" || $0 == "?" } ?? body.endIndex
            var authority = body[..<end]
            rest = String(body[end...])
            guard !authority.isEmpty, !authority.contains("@") else { return nil }
            let hostEnd =
                authority.hasPrefix("[")
                ? authority.firstIndex(of: "]").map { authority.index(after: $0) }
                : authority.firstIndex(of: ":") ?? authority.endIndex
            guard let hostEnd else { return nil }
            host = String(authority[..<hostEnd])
            authority = authority[hostEnd...]
            guard !host.isEmpty, !host.contains("*"), !host.contains("%") else { return nil }
            if authority.isEmpty { return }
            let digits = authority.dropFirst()
            guard authority.first == ":", let number = UInt16(digits), number > 0,
                String(number) == digits
            else { return nil }
            port = String(digits)
        }
    }
}
