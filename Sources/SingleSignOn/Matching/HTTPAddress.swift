// SPDX-License-Identifier: Apache-2.0

/// An `http` or `https` URL in normalized form for comparison (RFC 3986 section 6.2): scheme and
/// host in lower case, an explicit port, no dot segments, and the path otherwise unchanged.
package struct HTTPAddress: Sendable, Hashable {
    /// Scheme, host and port.
    package struct Origin: Sendable, Hashable {
        package let isSecure: Bool
        package let host: HostName
        package let port: UInt16
    }

    package enum ParseError: Error, Sendable {
        case scheme
        case userInformation
        case host
        case port
        /// White space, a backslash, or another character that RFC 3986 does not allow.
        case character
    }

    package let origin: Origin
    /// Begins with a slash.
    package let path: String
    package let hasQuery: Bool
    package let hasFragment: Bool

    /// The maximum length of a URL, in bytes, as in browsers.
    package static let greatestLength = 65_536

    package init(_ text: String) throws(ParseError) {
        guard text.utf8.count <= Self.greatestLength, text.utf8.allSatisfy(Self.isAllowed) else {
            throw .character
        }
        guard let (isSecure, rest) = Self.scheme(of: text) else { throw .scheme }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        origin = try Self.origin(authority, isSecure: isSecure)
        let tail = rest[authority.endIndex...]
        let path = tail.prefix { $0 != "?" && $0 != "#" }
        hasQuery = tail[path.endIndex...].first == "?"
        hasFragment = tail.utf8.contains(UInt8(ascii: "#"))
        self.path = Self.withoutDotSegments(path.isEmpty ? "/" : path)
    }

    /// Whether a byte is visible and allowed by RFC 3986. Other scripts are allowed in the host.
    private static func isAllowed(_ letter: UInt8) -> Bool {
        letter > 0x20 && letter != 0x7F && !forbidden.contains(letter)
    }

    private static let forbidden = Set("\"<>\\^`{|}".utf8)

    private static func scheme(of text: String) -> (isSecure: Bool, rest: Substring)? {
        for (scheme, isSecure) in [("https://", true), ("http://", false)]
        where text.utf8.count >= scheme.utf8.count {
            let head = text.utf8.prefix(scheme.utf8.count)
            // The case bit applies only to ASCII alphabetic characters.
            let matches = zip(head, scheme.utf8).allSatisfy { letter, wanted in
                letter == wanted || (0x41...0x5A ~= letter && letter | 0x20 == wanted)
            }
            if matches { return (isSecure, text[head.endIndex...]) }
        }
        return nil
    }

    private static func origin(
        _ authority: Substring, isSecure: Bool
    ) throws(ParseError) -> Origin {
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw .userInformation }
        var name = authority
        var port: UInt16 = isSecure ? 443 : 80
        let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":"))
        if let colon, authority.utf8.last != UInt8(ascii: "]") {
            name = authority[..<colon]
            let digits = authority.utf8[colon...].dropFirst()
            // A colon without a number means the default port (RFC 3986 section 6.2.3).
            if !digits.isEmpty {
                guard digits.allSatisfy({ 0x30...0x39 ~= $0 }), digits.count <= 5,
                    let number = UInt16(String(decoding: digits, as: UTF8.self)), number > 0
                else { throw .port }
                port = number
            }
        }
        guard let host = HostName(name) else { throw .host }
        return Origin(isSecure: isSecure, host: host, port: port)
    }

    /// Removes dot segments (RFC 3986 section 5.2.4), with `%2e` as a dot as in browsers.
    private static func withoutDotSegments(_ path: Substring) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) || path.utf8.contains(UInt8(ascii: "%")) else {
            return String(path)
        }
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.lowercased().replacing("%2e", with: ".") {
            case ".":
                if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
