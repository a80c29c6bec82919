// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import PIN
import Primitives
package import ProviderCore
import Storage

/// Handles the PIN requests of a registered installation: change the PIN, confirm that a new one is
/// sealed, get the current version, or prove it. Sign-ins are handled by the token endpoint.
package struct PINRequestHandler: Sendable {
    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// - Parameter compact: A message of the PIN protocol.
    /// - Throws: An error of the store, or `PINServiceError`. In these cases no attempt was
    ///   counted.
    package func answer(_ compact: String) async throws -> Result<PINResponse, Refusal> {
        guard let request = UnverifiedPINRequest(compact: Array(compact.utf8)) else {
            return .failure(
                RegistrationErrorCode.malformedInput.refusal(
                    "request is not a message of the PIN protocol.", because: "not a PIN request"))
        }
        var draft = AuditEventDraft(
            "pin.\(request.kind.rawValue)", in: context.project, facts: context.facts)
        let pins = ProjectPINStore(
            context.provider, tenant: context.tenant, facts: context.facts, draft: draft)
        let reply = try await pins.endpoint(for: request).answer(request, now: context.now)
        let refusal = reply.refusal
        draft.code = refusal?.code
        draft.person = pins.read?.person
        draft.details = pins.read?.auditDetails ?? "{}"
        if pins.read == nil || reply.outcome == .refused(.notSigned) {
            draft.person = nil
            await context.provider.audit.count(draft)
        } else if !pins.hasRecorded {
            try await context.provider.audit.record(draft)
        }
        return refusal.map { .failure($0) } ?? .success(reply.answer)
    }
}

extension PINEndpoint.Reply {
    /// `nil` if the request was granted.
    var refusal: Refusal? {
        let code: RegistrationErrorCode
        switch answer {
        case .accepted, .delivery, .version: return nil
        case .wrongPIN: code = .wrongPIN
        case .ended: code = .ended
        case .refused: code = .refused
        }
        var refusal = code.refusal(because: "PIN: \(outcome)")
        refusal.members = answer.members
        return refusal
    }
}
