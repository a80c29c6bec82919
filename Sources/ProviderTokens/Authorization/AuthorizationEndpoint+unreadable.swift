// SPDX-License-Identifier: Apache-2.0
import Logging
import OAuth
package import ProviderCore
import Storage

extension AuthorizationEndpoint {
    /// Refuses a request whose parameters cannot be parsed: repeated, or not percent-encoded. The
    /// developer of the client finds it in the log and in the audit log by the request ID that the
    /// page displays.
    ///
    /// - Parameter clientID: the client ID of the request, if it can be parsed.
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
