// SPDX-License-Identifier: Apache-2.0

/// The origin of a page as browsers write it (RFC 6454 section 6.2): scheme, host and, unless it
/// is the scheme's own, port.
package struct WebOrigin: Sendable, Equatable {
    /// The original text, which the client data contains.
    package let text: String
    /// A domain name in lower-case ASCII form.
    package let host: String

    /// Refuses what is not secure, as well as what is not an origin.
    package init(_ text: String) throws(RelyingPartyScopeError) {
        guard text.utf8.count <= 512, let end = text.range(of: "://") else {
            throw .originMalformed
        }
        let scheme = text[..<end.lowerBound]
        let (host, port) = try Self.authority(text[end.upperBound...])
        if let port { try Self.check(port: port, scheme: scheme) }
        if Self.isAddress(host) { throw .hostIsAddress }
        guard DomainName.isValid(host) else { throw .originMalformed }
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        guard scheme == "https" || (scheme == "http" && isLocal) else {
            throw scheme == "http" ? .originNotSecure : .originMalformed
        }
        self.text = text
        self.host = host
    }

    private static func authority(
        _ text: Substring
    ) throws(RelyingPartyScopeError) -> (host: String, port: Substring?) {
        if text.hasPrefix("[") { throw .hostIsAddress }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { throw .originMalformed }
        return (String(parts[0]), parts.count == 2 ? parts[1] : nil)
    }

    private static func check(
        port: Substring, scheme: Substring
    ) throws(RelyingPartyScopeError) {
        guard 1...5 ~= port.utf8.count, port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            port.first != "0", let number = Int(port), number <= 65535,
            number != (scheme == "https" ? 443 : 80)
        else { throw .originMalformed }
    }

    /// Whether a URL parser reads the host as an IPv4 address: its last label is a number.
    private static func isAddress(_ host: String) -> Bool {
        guard let last = host.split(separator: ".").last else { return false }
        return last.utf8.allSatisfy { 0x30...0x39 ~= $0 } || last.hasPrefix("0x")
    }
}

extension String {
    /// Returns the range of the first occurrence of `word`.
    fileprivate func range(of word: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(word) {
                return start..<index(start, offsetBy: word.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
