// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A considered "no". A value, returned in a `Result`; what fails by accident is thrown instead.
///
/// `code` and `message` go to the wire through the one error writer, `reason` goes to the log and
/// never further.
package struct Refusal: Error, Sendable, Equatable {
    /// Stable, lower case: an OAuth error code at OAuth endpoints, ours elsewhere.
    package var code: String
    /// One sentence for whoever asked: what is wrong and what would be right.
    package var message: String
    /// What really happened.
    package var reason: String
    /// Seconds after which asking again makes sense.
    package var retryAfter: Int64?
    /// What the next proof of possession must carry, where the refusal asks for one.
    package var proofNonce: String?
    /// What a page of ours goes on with. No API sends it.
    package var ticket: String?
    /// Goes to the wire beside code and message.
    package var members: [JSONObject.Member] = []
    /// What its audit event says besides the code, for an operator who is asked why.
    var auditDetails: [String: String] = [:]
    /// The same as the event has it; `nil` for none.
    var auditText: String? { auditDetails.isEmpty ? nil : AuditDetails.text(auditDetails) }
    /// Whether its audit event was written in the commit of what it tells.
    var isRecorded = false
    /// Whether something of ours was found before: a code, a token, a key that has signed. Anyone can
    /// cause the other refusals without end, so the audit trail counts them.
    var isMatched = false

    /// Whether the same person would not be refused after a sign-in with a key that they have.
    package var canStepUp = false

    var matched: Refusal {
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

    /// Equality is that of the code, so tests stay short.
    package static func == (left: Refusal, right: Refusal) -> Bool { left.code == right.code }
}
