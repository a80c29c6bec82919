// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
import OAuth
import Primitives
package import ProviderCore
import ProviderTokens
package import Storage

/// The operations of an installation on approvals: enroll, list pending ones, respond. The access
/// token must be issued to the installation, with the scope `registration`.
package struct ApprovalAccount: Sendable {
    let account: RegisteredAccount
    let installation: Identifier<Installation>
    let context: CeremonyContext

    package static func open(
        _ accessToken: PresentedAccessToken?, in context: CeremonyContext
    ) async throws -> Result<ApprovalAccount, Refusal> {
        guard context.tenant.project.policy.registration.approvals.enabled else {
            return .failure(RegistrationErrorCode.approvalsNotOffered.refusal(because: "off"))
        }
        return try await RegisteredAccount.open(accessToken, in: context).flatMap { account in
            guard let installation = account.current else {
                return .failure(
                    RegistrationErrorCode.unknownInstallation.refusal(
                        because: "a token of no installation"))
            }
            return .success(
                ApprovalAccount(account: account, installation: installation, context: context))
        }
    }

    // MARK: Enrolling

    /// Maximum length of a push token of any push service, in bytes.
    private static let maximumTokenLength = 4096

    /// Enrolls this installation for approval requests, from `{"push_token"?}`. A repeated call
    /// replaces the push token, or removes it if the body has none.
    package func enroll(_ body: JSONObject) async throws -> Result<ApprovalEnrollment, Refusal> {
        guard
            try await InstallationSigner.find(
                installation, of: account.person.id, in: context.store) != nil
        else {
            return .failure(
                RegistrationErrorCode.unknownInstallation.refusal(because: "it has no key"))
        }
        var sealed: [UInt8]?
        if let sent = body["push_token"], sent != .null {
            guard let token = sent.string, (1...Self.maximumTokenLength).contains(token.utf8.count)
            else {
                return .failure(RegistrationErrorCode.malformedInput.refusal(because: "push_token"))
            }
            sealed = try context.provider.secrets.seal(
                Secret(Array(token.utf8)), context: Self.context(of: installation))
        }
        let earlier = try await context.store.approvals.approvalEnrollment(of: installation)
        let enrollment = ApprovalEnrollment(
            installation: installation, sealedPushToken: sealed,
            enrolledAt: earlier?.enrolledAt ?? context.now)
        try await context.store.approvals.save(enrollment)
        if earlier == nil { try await context.provider.audit.record(draft("approvals.enrolled")) }
        return .success(enrollment)
    }

    package func enrollment() async throws -> Result<ApprovalEnrollment, Refusal> {
        guard let found = try await context.store.approvals.approvalEnrollment(of: installation)
        else {
            return .failure(RegistrationErrorCode.notEnrolled.refusal(because: "not enrolled"))
        }
        return .success(found)
    }

    package func unenroll() async throws {
        guard try await context.store.approvals.removeApprovalEnrollment(of: installation) else {
            return
        }
        try await context.provider.audit.record(draft("approvals.unenrolled"))
    }

    /// The push token of an installation, or `nil` if it has none that can be decrypted.
    static func pushToken(
        of enrollment: ApprovalEnrollment, in provider: Provider
    ) -> String? {
        guard let sealed = enrollment.sealedPushToken,
            let token = try? provider.secrets.open(
                sealed, context: context(of: enrollment.installation))
        else { return nil }
        return token.revealText()
    }

    private static func context(of installation: Identifier<Installation>) -> String {
        "push-token/\(installation)"
    }

    // MARK: Pending approvals

    /// Returns the pending approvals, oldest first.
    package func pending() async throws -> Result<[PendingApproval], Refusal> {
        if case .failure(let refusal) = try await enrollment() { return .failure(refusal) }
        let all = try await context.store.approvals.pendingApprovals(
            of: account.person.id, now: context.now)
        var found: [PendingApproval] = []
        for approval in all
        where approval.installation == nil || approval.installation == installation {
            if let shown = try await shown(approval) { found.append(shown) }
        }
        return .success(found)
    }

    /// Adds the client. Returns `nil` if it does not exist or is disabled.
    func shown(_ approval: Approval) async throws -> PendingApproval? {
        guard let client = try await context.store.clients.client(approval.client), !client.disabled
        else {
            return nil
        }
        return PendingApproval(approval: approval, client: RegisteredClient(client))
    }

    // MARK: Codes

    /// Assigns the approval whose code a browser displays to this installation, from `{"code"}`.
    /// The first installation that sends the code receives it.
    package func claim(_ body: JSONObject) async throws -> Result<PendingApproval, Refusal> {
        guard let typed = body["code"]?.string else {
            return .failure(
                RegistrationErrorCode.missingInput.refusal("code is missing.", because: "code"))
        }
        if case .failure(let refusal) = try await enrollment() { return .failure(refusal) }
        let outcome = try await GuessBudgets.other(
            "approval-code/\(account.person.id)", in: context
        ).attempt(isGuess: { $0.refusal.code == RegistrationErrorCode.unknownApproval.rawValue }) {
            try await claim(code: typed)
        }
        switch outcome {
        case .success(let shown):
            try await context.provider.audit.record(draft("approval.claimed", shown))
            return .success(shown)
        case .failure(let declined) where declined.isStranger: return .failure(declined.refusal)
        case .failure:
            return try await refuse(.unknownApproval, "approval.claimed", "no such code")
        }
    }

    private func claim(code typed: String) async throws -> Result<PendingApproval, CeremonyRefusal>
    {
        guard let code = UserCode.normalize(typed),
            let approval = try await context.store.approvals.claimApproval(
                codeHash: Self.hash(ofCode: code, of: context.tenant, in: context.provider),
                for: account.person.id, at: installation, now: context.now),
            let shown = try await shown(approval)
        else { return .declined(.unknownApproval, because: "no such code") }
        return .success(shown)
    }

    static func hash(ofCode code: String, of tenant: Tenant, in provider: Provider) -> [UInt8] {
        provider.secrets.hash(
            tenant.project.id.bytes + Array(code.utf8), for: .approvalCode)
    }

    // MARK: Audit

    func draft(_ action: String, _ approval: PendingApproval? = nil) -> AuditEventDraft {
        var details = ["installation": installation.description]
        details["approval"] = approval?.approval.id.description
        return AuditEventDraft(
            action, in: context.project, facts: context.facts, person: account.person.id,
            clientID: approval?.client.clientID, details: AuditDetails.text(details))
    }

    func refuse<Value>(
        _ code: RegistrationErrorCode, _ action: String, _ reason: String,
        _ approval: PendingApproval? = nil
    ) async throws -> Result<Value, Refusal> {
        try await context.refuse(draft(action, approval), code, because: reason)
    }
}

/// An approval with its client, as an app displays it.
package struct PendingApproval: Sendable {
    let approval: Approval
    let client: RegisteredClient

    package var json: JSONValue {
        var object = JSONObject()
        object["id"] = .string(approval.id.description)
        object["client_id"] = .string(client.clientID)
        object["client_name"] = .string(client.displayName)
        object["message"] = .string(approval.message)
        object["transaction_text"] = .string(approval.transaction)
        object["nonce"] = .string(Base64URL.encode(approval.nonce))
        object["created_at"] = .string(approval.createdAt.rfc3339)
        object["expires_at"] = .string(approval.expiresAt.rfc3339)
        return .object(object)
    }
}
