// SPDX-License-Identifier: Apache-2.0

extension SettingReader {
    /// Longest path of an issuer, in bytes: it is part of every address, and of the names of cookies.
    private static let maximumPathLength = 128

    /// `https://HOST[:PORT][/PATH]` without a trailing slash; RFC 8414 section 2 allows no query and no
    /// fragment.
    func issuer() throws(ConfigurationError) -> String? {
        guard let entry = values["issuer"], let text = entry.texts.last else { return nil }
        let isURL = text.hasPrefix("https://") || text.hasPrefix("http://")
        let place = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? ""
        let authority = place.prefix { $0 != "/" }
        let path = place[authority.endIndex...]
        guard isURL, !authority.isEmpty,
            authority.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !authority.contains(where: { "?#@\\\"<>".contains($0) }),
            path == "/" || Self.isPath(path)
        else {
            throw ConfigurationError(
                entry.origin,
                "issuer is \"\(text)\"; it must be a URL without query and fragment, for example "
                    + "https://login.example.com, or with a path https://example.com/auth: letters, digits "
                    + "and -._~ between slashes, at most \(Self.maximumPathLength) bytes, no slash at the end"
            )
        }
        return path == "/" ? String(text.dropLast()) : text
    }

    /// Empty, or segments that need no escaping. None begins with a dot: no `..`, and not `.well-known`,
    /// before which RFC 8414 puts nothing.
    private static func isPath(_ path: Substring) -> Bool {
        guard !path.isEmpty else { return true }
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return path.utf8.count <= maximumPathLength
            && segments.allSatisfy { segment in
                !segment.isEmpty && !segment.hasPrefix(".")
                    && segment.utf8.allSatisfy(letters.contains)
            }
    }

    /// RFC 3986 section 2.3.
    private static let letters = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
}
