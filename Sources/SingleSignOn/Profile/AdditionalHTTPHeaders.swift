// SPDX-License-Identifier: Apache-2.0

/// The headers that a device adds to its Platform SSO requests (`AdditionalHTTPHeaders` of the
/// declaration, macOS 27.2), for example for a proxy.
package enum AdditionalHTTPHeaders {
    static let firstVersion = SystemVersion(27, 2)
    package static let maximumCount = 20
    private static let maximumNameLength = 128
    private static let maximumValueLength = 2048

    /// Headers of the message framing (RFC 9110 section 7.2, RFC 9112 section 6), which settings
    /// must not contain.
    private static let framing: Set<String> = [
        "connection", "content-length", "host", "transfer-encoding", "upgrade",
    ]

    /// Returns why a header cannot be sent, or `nil` if it can: names are tokens and values
    /// printable (RFC 9110 section 5).
    package static func fault(name: String, value: String) -> String? {
        guard 1...maximumNameLength ~= name.utf8.count, name.utf8.allSatisfy(isTokenLetter) else {
            return "is not a header name of at most \(maximumNameLength) characters"
        }
        guard !framing.contains(name.lowercased()) else {
            return "belongs to the message, and cannot be set"
        }
        guard value.utf8.count <= maximumValueLength,
            value.utf8.allSatisfy({ 0x20...0x7E ~= $0 })
        else { return "has a value that is not printable ASCII, or longer than 2048 characters" }
        return nil
    }

    private static func isTokenLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
