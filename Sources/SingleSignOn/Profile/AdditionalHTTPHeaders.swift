// SPDX-License-Identifier: Apache-2.0

/// What a device adds to the head of its requests to a provider of Platform SSO
/// (`AdditionalHTTPHeaders` of the declaration, macOS 27.2): for a proxy before it, mostly.
package enum AdditionalHTTPHeaders {
    static let firstVersion = SystemVersion(27, 2)
    package static let maximumCount = 20
    private static let maximumNameLength = 128
    private static let maximumValueLength = 2048

    /// Of the message itself (RFC 9110 section 7.2, RFC 9112 section 6): nobody else may set these.
    private static let framing: Set<String> = [
        "connection", "content-length", "host", "transfer-encoding", "upgrade",
    ]

    /// What keeps a header from being sent, or `nil` when it can be: names are tokens and values
    /// printable (RFC 9110 section 5).
    package static func fault(name: String, value: String) -> String? {
        guard 1...maximumNameLength ~= name.utf8.count, name.utf8.allSatisfy(isTokenLetter) else {
            return "is no name of a header of \(maximumNameLength) letters at most"
        }
        guard !framing.contains(name.lowercased()) else {
            return "belongs to the message, and cannot be set"
        }
        guard value.utf8.count <= maximumValueLength,
            value.utf8.allSatisfy({ 0x20...0x7E ~= $0 })
        else { return "has a value that is not printable ASCII, or longer than 2048 letters" }
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
