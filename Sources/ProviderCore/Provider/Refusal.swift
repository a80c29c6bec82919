// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The result of a request that policy does not allow. Operations return refusals in a `Result` and
/// throw errors.
///
/// The error writer sends `code` and `message` to the client. `reason` is only for the log.
package struct Refusal: Error, Sendable, Equatable {
    /// Stable, in lower case. OAuth endpoints use the registered OAuth error codes.
    package var code: String
    /// One sentence for the client: what is wrong and what would be right.
    package var message: String
    /// The private reason, for the log.
    package var reason: String
    /// Seconds until a retry can succeed.
    package var retryAfter: Int64?
    /// The nonce for the next DPoP proof, if the refusal requires one.
    package var proofNonce: String?
    /// The ticket with which a page of the provider continues. APIs do not send it.
    package var ticket: String?
    /// Additional members of the JSON error body.
    package var members: [JSONObject.Member] = []
    /// Additional details for the audit event.
    package var auditDetails: [String: String] = [:]
    /// ``auditDetails`` as JSON, or `nil` if there are none.
    package var auditText: String? { auditDetails.isEmpty ? nil : AuditDetails.text(auditDetails) }
    /// Whether the audit event was already written in the transaction of a change.
    package var isRecorded = false
    /// Whether the request contained something that this provider had issued or registered: a code,
    /// a token, a key that signed. Unauthenticated senders can cause the other refusals without
    /// limit, so the audit log aggregates those.
    package var isMatched = false

    /// Whether the person would not be refused after a sign-in with one of their keys.
    package var canStepUp = false

    package var matched: Refusal {
        var refusal = self
        refusal.isMatched = true
        return refusal
    }

    package init(_ code: String, _ message: String, reason: String, retryAfter: Int64? = nil) {
        self.code = code
        self.message = message
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// Compares only the code, which keeps tests short.
    package static func == (left: Refusal, right: Refusal) -> Bool { left.code == right.code }
}
