// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A mail server to hand messages to, and how.
package struct SMTPServer: Sendable, Equatable {
    /// The protection of the connection.
    package enum Encryption: Sendable, Equatable {
        /// TLS from the first byte, RFC 8314 section 3.3. Port 465.
        case implicit
        /// STARTTLS, RFC 3207, before any other command. Port 587.
        case required
        /// STARTTLS when offered: for a server on this machine only.
        case whenOffered
    }

    package struct Credentials: Sendable, Equatable {
        package let username: String
        package let password: Secret
    }

    package let host: String
    package let port: Int
    package let encryption: Encryption
    package let credentials: Credentials?

    /// Reads `smtp://user:password@host:port` or `smtps://…`. User and password are
    /// percent-encoded; ports default to 587 and 465. `smtp` means STARTTLS, except to loopback.
    package init(url: String) throws(SMTPError) {
        guard url.utf8.count <= 2048, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let colon = url.firstRange(of: "://")
        else { throw .invalidURL }
        let scheme = url[..<colon.lowerBound].lowercased()
        guard scheme == "smtp" || scheme == "smtps" else { throw .invalidURL }
        var rest = url[colon.upperBound...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.contains(where: { "/?#".contains($0) }) else { throw .invalidURL }
        let parts = rest.split(separator: "@", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count) else { throw .invalidURL }
        credentials = parts.count == 2 ? try Self.credentials(parts[0]) : nil
        let isImplicit = scheme == "smtps"
        (host, port) = try Self.endpoint(parts[parts.count - 1], default: isImplicit ? 465 : 587)
        encryption = isImplicit ? .implicit : Self.isLoopback(host) ? .whenOffered : .required
    }

    private static func credentials(_ text: Substring) throws(SMTPError) -> Credentials {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let username = decoded(parts[0]), !username.isEmpty,
            let password = decoded(parts[1])
        else { throw .invalidURL }
        return Credentials(username: username, password: Secret(password))
    }

    /// Returns the text without percent-encoding, `nil` if it has control characters.
    private static func decoded(_ text: Substring) -> String? {
        guard let text = PercentEncoding.decode(Array(text.utf8)[...]),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return text
    }

    /// `host`, `host:port` or `[IPv6]:port`.
    private static func endpoint(
        _ text: Substring, default port: Int
    ) throws(SMTPError) -> (host: String, port: Int) {
        var host = text
        var digits: Substring?
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let tail = text[text.index(after: end)...]
            guard tail.isEmpty || tail.hasPrefix(":") else { throw .invalidURL }
            digits = tail.isEmpty ? nil : tail.dropFirst()
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            digits = text[text.index(after: colon)...]
        }
        let allowed: (Character) -> Bool = {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-.:".contains($0))
        }
        guard (1...253).contains(host.count), host.allSatisfy(allowed) else { throw .invalidURL }
        guard let digits else { return (String(host), port) }
        guard (1...5).contains(digits.count), let number = Int(digits), digits.first != "+",
            (1...65_535).contains(number)
        else { throw .invalidURL }
        return (String(host), number)
    }

    /// Whether the host is this machine, by its name or address.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
