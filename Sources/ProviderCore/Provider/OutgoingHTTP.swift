// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives

/// A client for HTTP requests of the provider: to upstream providers, services of the operator and
/// vendors. One request has one response. Redirects are not followed, cookies are not stored,
/// requests are not retried.
package protocol OutgoingHTTP: Sendable {
    /// Returns the response, whatever its status.
    func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingResponse
}

/// A URL that the provider may send requests to: `https`, or `http` to loopback. It has no user
/// information and no fragment.
///
/// URLs come only from the configuration, or from a document of a configured URL; never from a
/// request of a client. ``OutgoingHTTP`` enforces which IP addresses are allowed
/// (`outgoing-allow`), after the host name is resolved.
package struct OutgoingURL: Sendable, Hashable {
    package let text: String
    package let host: String

    /// Returns `nil` for any other URL, and for one longer than 2,048 bytes.
    package init?(_ text: String) {
        guard let host = RedirectURI(text)?.host else { return nil }
        self.text = text
        self.host = host
    }

    /// `scheme://host:port`, for a content security policy.
    package var origin: String? { RedirectURI(text)?.origin }

    private init(text: String, host: String) {
        self.text = text
        self.host = host
    }

    /// Accepts plain `http` too, for content whose signature is verified.
    package static func ofSignedContent(_ text: String) -> OutgoingURL? {
        guard text.hasPrefix("http://") else { return OutgoingURL(text) }
        return OutgoingURL("https" + text.dropFirst(4)).map {
            OutgoingURL(text: text, host: $0.host)
        }
    }
}

package struct OutgoingRequest: Sendable {
    package var method: String
    package var address: OutgoingURL
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]?
    /// Maximum length of the response body in bytes. Reading stops if the body is longer.
    package var maximumResponseLength: Int
    /// Timeout in seconds for the whole exchange, including the last byte of the response.
    package var seconds: Int64

    package init(
        _ method: String, _ address: OutgoingURL,
        headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        maximumResponseLength: Int = 65_536, seconds: Int64 = 10
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
        self.maximumResponseLength = maximumResponseLength
        self.seconds = seconds
    }
}

package struct OutgoingResponse: Sendable, Equatable {
    package var status: Int
    /// Names in lower case. Of repeated fields, the last value.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// An error without a response. The request may have arrived.
package struct OutgoingHTTPError: CodedError {
    package enum Code: String, Sendable {
        /// No connection, an untrusted certificate, or an aborted connection.
        case unreachable
        case timedOut = "timed_out"
        /// The policy of the operator (`outgoing-allow`) does not allow the address.
        case notAllowed = "not_allowed"
        /// More than ``OutgoingRequest/maximumResponseLength``.
        case tooLong = "too_long"
    }

    package let code: Code
    /// For the log. It never contains request data.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// A client that refuses all requests.
package struct NoOutgoingHTTP: OutgoingHTTP {
    package init() {}

    package func send(
        _ request: OutgoingRequest
    ) async throws(OutgoingHTTPError) -> OutgoingResponse {
        throw OutgoingHTTPError(.unreachable, "this provider sends no requests")
    }
}
