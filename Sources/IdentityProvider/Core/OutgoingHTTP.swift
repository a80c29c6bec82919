// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives

/// How the provider asks others over HTTP: upstream providers, an operator's own service, a
/// vendor's. One question, one answer; no redirect is followed, no cookie kept, nothing asked
/// twice. The command brings the client, tests bring services of their own.
package protocol OutgoingHTTP: Sendable {
    /// The answer, whatever its status.
    func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingResponse
}

/// Where the provider may send something: `https`, or `http` to this machine. Without user
/// information and fragment.
///
/// That is all it says. Which addresses are asked is for the configuration to say, or for a
/// document that came from a configured address; never for a request from outside. Which machines
/// may be behind them is the operator's to say (`outgoing-allow`), and known once a name is looked
/// up: ``OutgoingHTTP`` holds to it.
package struct OutgoingURL: Sendable, Hashable {
    package let text: String
    package let host: String

    /// `nil` for any other address, and for one longer than 2,048 bytes.
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

    /// Of something that is signed and so proves itself: plain `http` will do.
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
    /// Longest answer, in bytes; a longer one is not read to its end.
    package var longestAnswer: Int
    /// Seconds for the whole exchange, the last byte of the answer included.
    package var seconds: Int64

    package init(
        _ method: String, _ address: OutgoingURL,
        headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        longestAnswer: Int = 65_536, seconds: Int64 = 10
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
        self.longestAnswer = longestAnswer
        self.seconds = seconds
    }
}

package struct OutgoingResponse: Sendable, Equatable {
    package var status: Int
    /// Names in lower case; of repeated fields the last.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// There was no answer. Whether the question arrived is not known.
package struct OutgoingHTTPError: CodedError {
    package enum Code: String, Sendable {
        /// No connection, no trust in the certificate, or broken off.
        case unreachable
        case timedOut = "timed_out"
        /// The operator lets nobody there be asked.
        case notAllowed = "not_allowed"
        /// More than ``OutgoingRequest/longestAnswer``.
        case tooLong = "too_long"
    }

    package let code: Code
    /// For the log; never what was sent.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// Where nothing outside may be asked: every question fails.
package struct NoOutgoingHTTP: OutgoingHTTP {
    package init() {}

    package func send(
        _ request: OutgoingRequest
    ) async throws(OutgoingHTTPError) -> OutgoingResponse {
        throw OutgoingHTTPError(.unreachable, "this provider asks nobody")
    }
}
