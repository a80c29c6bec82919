// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth

/// The URL at which a web login of macOS 27 ends: `com.apple.platformsso://callback` with a code
/// and the state of the request (Apple "Implementing web-based authentication with Platform SSO").
///
/// A Linux device has no web view for such a URL. There the login ends in the ordinary browser at a
/// loopback port (RFC 8252 section 7.3), which the device signs.
package struct WebLoginCallback: Sendable, Equatable {
    package static let address = "com.apple.platformsso://callback"
    package static let subjectTokenType = "urn:apple:platformsso:authorization-code-response"

    /// The whole URL, which the device sends as `subject_token`.
    package let url: String
    /// The requested redirect URI.
    package let redirectURI: String
    package let code: String
    package let state: String
    /// The issuer of the response (RFC 9207); `nil` if it is absent.
    package let issuer: String?

    /// Whether a web login may end there: at Apple's URL, or at a loopback port.
    package static func isAddress(_ uri: String) -> Bool {
        guard !uri.hasSameBytes(as: address) else { return true }
        guard let uri = RedirectURI(uri) else { return false }
        return uri.scheme == "http" && uri.isLoopbackAddress && uri.rest == "/callback"
    }

    /// Reads the URL of the provider's redirect.
    ///
    /// - Throws: `callbackMalformed` for another URL, an error response, a repeated parameter, and
    ///   a missing or empty code or state.
    package init(_ url: String) throws(PlatformSSORefusal) {
        guard url.utf8.count <= 8192, !url.contains("#"), let mark = url.firstIndex(of: "?"),
            Self.isAddress(String(url[..<mark]))
        else {
            throw PlatformSSORefusal(.callbackMalformed, "not a response at \(Self.address)")
        }
        guard let fields = QueryText.fields(url[url.index(after: mark)...]),
            Set(fields.map(\.name)).count == fields.count
        else { throw PlatformSSORefusal(.callbackMalformed, "the query cannot be read") }
        func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        if let error = value("error") {
            throw PlatformSSORefusal(.callbackMalformed, "the provider answered \(error)")
        }
        guard let code = value("code"), let state = value("state"), !code.isEmpty, !state.isEmpty
        else { throw PlatformSSORefusal(.callbackMalformed, "code or state is missing") }
        self.url = url
        redirectURI = String(url[..<mark])
        issuer = value("iss")
        self.code = code
        self.state = state
    }

    /// Refuses the response to another request.
    ///
    /// - Throws: `stateMismatch`.
    package func check(state expected: String) throws(PlatformSSORefusal) {
        guard state.hasSameBytes(as: expected) else {
            throw PlatformSSORefusal(.stateMismatch, "state is another request's")
        }
    }

    /// Returns the URL for a provider's redirect.
    package static func url(code: String, state: String) -> String {
        address + "?" + FormEncoding.encode([("code", code), ("state", state)])
    }
}

/// The query of a URL as fields.
enum QueryText {
    static let maximumFields = 64

    /// Returns `nil` if an escape is invalid or there are too many fields.
    static func fields(_ text: some StringProtocol) -> [FormField]? {
        var fields: [FormField] = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count < maximumFields, let name = FormEncoding.decode(pair[0]),
                let value = FormEncoding.decode(pair.count == 2 ? pair[1] : pair[0].prefix(0))
            else { return nil }
            fields.append(FormField(name, value))
        }
        return fields
    }
}
