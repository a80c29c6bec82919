// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth
package import Primitives
package import ProviderCore
import ProviderTokens
package import Storage

extension ApprovalAccount {
    private static let action = "approval.answered"

    /// Records the person's response. A repeated call with the same decision succeeds.
    ///
    /// The response is signed with the key of the installation over everything that the app
    /// displayed. For an approval, an installation with a PIN also requires a sign-in with the PIN
    /// or user verification after the approval request was created.
    ///
    /// - Parameter answer: compact JWS, see ``SignedApprovalResponse``.
    package func answer(
        _ id: Identifier<Approval>, with answer: String
    ) async throws -> Result<Void, Refusal> {
        if case .failure(let refusal) = try await enrollment() { return .failure(refusal) }
        guard let approval = try await context.store.approvals.approval(id),
            approval.project == context.project, approval.person == account.person.id,
            approval.expiresAt > context.now, let shown = try await shown(approval)
        else { return try await refuse(.unknownApproval, Self.action, "not theirs, or over") }
        guard
            let signer = try await InstallationSigner.find(
                installation, of: account.person.id, in: context.store),
            let decision = decision(in: answer, signer, shown)
        else {
            return try await refuse(.approvalRefused, Self.action, "wrongly signed", shown)
        }
        let answered = Answered(
            shown: shown, text: answer, decision: decision, signer: signer)
        if decision == .approved, let reason = try await reasonToDoubt(answered) {
            return try await refuse(.freshSignInNeeded, Self.action, reason, shown)
        }
        return try await decide(answered)
    }

    /// A response with a valid signature.
    private struct Answered {
        let shown: PendingApproval
        let text: String
        let decision: SignedApprovalResponse.Decision
        let signer: InstallationSigner
    }

    private func decision(
        in answer: String, _ signer: InstallationSigner, _ shown: PendingApproval
    ) -> SignedApprovalResponse.Decision? {
        guard
            let claims = signer.claims(
                of: answer, typ: SignedApprovalResponse.type,
                maximumBytes: SignedApprovalResponse.maximumLength),
            let signed = SignedApprovalResponse(claims)
        else { return nil }
        let expected = SignedApprovalResponse(
            userID: account.person.id.description, audience: context.tenant.issuer,
            nonce: Base64URL.encode(shown.approval.nonce),
            approval: shown.approval.id.description, clientID: shown.client.clientID,
            message: shown.approval.message, transaction: shown.approval.transaction,
            decision: signed.decision, signedAt: signed.signedAt)
        return signed.isAbout(the: expected) ? signed.decision : nil
    }

    /// The reason why the approval requires a fresh sign-in, or `nil` if it does not.
    private func reasonToDoubt(_ answered: Answered) async throws -> String? {
        guard answered.signer.details.hasPIN else { return nil }
        guard account.methods.contains("pin") || account.methods.contains("user") else {
            return "signed in without the PIN"
        }
        // Tokens have a resolution of one second.
        guard let shownAt = account.authenticatedAt,
            shownAt.seconds >= answered.shown.approval.createdAt.seconds
        else { return "signed in before they were asked" }
        return nil
    }

    private func decide(_ answered: Answered) async throws -> Result<Void, Refusal> {
        var draft = draft(Self.action, answered.shown)
        if answered.decision == .denied { draft.code = ErrorCode.accessDenied }
        let approval = answered.shown.approval
        let isDecided = try await context.store.approvals.decideApproval(
            ApprovalDecision(
                approval: approval.id, person: account.person.id, installation: installation,
                grant: answered.decision == .approved ? grant(answered) : nil,
                answer: answered.text), now: context.now,
            recording: context.provider.audit.prepare(draft))
        if isDecided {
            context.provider.audit.wasRecorded(draft)
            return .success(())
        }
        let now = try await context.store.approvals.approval(approval.id)
        guard now?.installation == installation, now?.decision == answered.decision else {
            return try await refuse(
                .approvalHandled, Self.action, "decided before, or elsewhere", answered.shown)
        }
        return .success(())
    }

    /// The grant of the client. It contains the assurance of the person's sign-in. It is not bound
    /// to the installation.
    private func grant(_ answered: Answered) -> Grant {
        let client = answered.shown.client
        let approval = answered.shown.approval
        let scope = ScopeSet(approval.scope) ?? ScopeSet()
        let details = answered.signer.details
        let lifetime = context.tenant.grantLifetime(
            refreshes: client.getsRefreshToken(for: scope))
        return Grant(
            id: context.newIdentifier(), project: context.project, client: approval.client,
            person: account.person.id, session: nil, scope: approval.scope,
            authenticationMethods: details.hasPIN
                ? account.methods.joined(separator: " ")
                : details.isInHardware ? "hwk" : "swk",
            authenticatedAt: details.hasPIN
                ? account.authenticatedAt ?? context.now : context.now,
            contextClass: details.hasPIN
                ? account.contextClass : ContextClass.password.rawValue,
            rotatedAt: context.now, createdAt: context.now,
            expiresAt: approval.expiresAt + lifetime)
    }
}

extension Approval {
    fileprivate var decision: SignedApprovalResponse.Decision? {
        switch state {
        case .pending: nil
        case .approved, .redeemed: .approved
        case .denied: .denied
        }
    }
}
