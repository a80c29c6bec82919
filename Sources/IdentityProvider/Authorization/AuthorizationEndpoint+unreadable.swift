// SPDX-License-Identifier: Apache-2.0
import Logging
import OAuth
import Primitives
import Storage

extension AuthorizationEndpoint {
    /// A request whose parameters cannot be read: repeated, or not percent-encoded. Whoever set the
    /// client up finds it in the log and in the audit trail by the number that the page shows.
    ///
    /// - Parameter clientID: that the request names, as far as that can be told.
    package func refuse(
        unreadable reason: String, clientID: String?, tenant: Tenant, facts: RequestMetadata
    ) async throws -> Refusal {
        let refusal = Refusal(ErrorCode.invalidRequest, reason, reason: reason)
        let named = clientID.map { LogText.bounded($0) }
        provider.log.info(
            "authorization request refused",
            metadata: [
                "code": "\(refusal.code)", "reason": "\(reason)",
                "client_id": "\(named ?? "-")", "request_id": "\(facts.requestID)",
            ])
        var details = ["reason": reason]
        details["client_id"] = named
        try await provider.audit.note(
            AuditEventDraft(
                "authorization", in: tenant.project.id, facts: facts, code: refusal.code,
                details: AuditDetails.text(details)))
        return refusal
    }
}
