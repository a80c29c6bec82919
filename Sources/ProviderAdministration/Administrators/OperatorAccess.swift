// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
import ProviderPeople
package import Storage

/// What gives access to the administration without a sign-in: the admin token and the set-up link.
/// It also counts the refused calls.
package struct OperatorAccess: Sendable {
    private let provider: Provider
    private let facts: RequestMetadata

    package init(_ provider: Provider, facts: RequestMetadata) {
        self.provider = provider
        self.facts = facts
    }

    /// Replaces the admin tokens of all processes.
    ///
    /// - Parameter auditProject: the project of the audit event.
    package func rotate(
        _ token: AdminToken, recordingIn auditProject: Identifier<Project>
    ) async throws -> AdministrativeResult<Secret> {
        let fresh = try await token.rotate()
        try await provider.audit.record(
            AuditEventDraft(
                "admin.token.rotate", in: auditProject, facts: facts,
                code: fresh == nil ? "conflict" : nil))
        guard let fresh else {
            return .failure(
                .conflict(
                    "rotated_already",
                    "Another rotation revoked all tokens at the same time. The token is in "
                        + "admin.token of each data directory."))
        }
        return .success(fresh)
    }

    /// Issues a link with which one person registers as an owner.
    package func issueSetUpLink() async throws -> AdministrativeResult<
        (url: String, expiresAt: Timestamp)
    > {
        guard let home = try await provider.tenant(named: AdministratorRoles.homeProject) else {
            return .failure(.unknown("project"))
        }
        let now = provider.clock.now
        let url = try await SetUpLink(provider, project: home.project.id, now: now).issue(for: home)
        try await provider.audit.record(
            AuditEventDraft("admin.setup_link", in: home.project.id, facts: facts))
        return .success((url, now + SetUpLink.lifetime))
    }

    // MARK: Refused calls

    /// Counts a call without a valid token. A token of 256 bits cannot be guessed, so that guesses
    /// are aggregated; one event for each would fill the disk.
    package func countInvalidToken(in project: Identifier<Project>) async {
        await provider.audit.count(
            AuditEventDraft("admin.token", in: project, facts: facts, code: "invalid_token"))
    }

    /// Counts a call that the rights of an API token do not allow.
    package func countRefusal(of token: APIToken) async {
        await provider.audit.count(
            AuditEventDraft(
                "admin.api-token.use", in: token.project, facts: facts, code: "not_allowed"))
    }
}
