// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of approval requests and of the installations that receive them.
package protocol ApprovalStore: Sendable {
    /// Inserts the approval and writes `event`, in one transaction.
    func save(_ approval: Approval, recording event: AuditEvent) async throws
    func approval(_ id: Identifier<Approval>) async throws -> Approval?
    /// Returns active, undecided approvals, oldest first; at most 100.
    func pendingApprovals(
        of person: Identifier<Person>, now: Timestamp
    ) async throws -> [Approval]
    /// Returns approvals in any state, newest first. Expired ones are included until they are
    /// deleted.
    func approvals(of person: Identifier<Person>, limit: Int) async throws -> [Approval]
    /// Binds the approval with that code to the first person who submits it. The same installation
    /// may submit it again. Returns `nil` for other people, and for an approval that is decided,
    /// expired or unknown.
    func claimApproval(
        codeHash: [UInt8], for person: Identifier<Person>,
        at installation: Identifier<Installation>, now: Timestamp
    ) async throws -> Approval?
    /// Decides the approval once, inserts its grant and writes `event`, in one transaction. Returns
    /// `false` if it is decided, expired, or bound to another person or installation.
    func decideApproval(
        _ decision: ApprovalDecision, now: Timestamp, recording event: AuditEvent
    ) async throws -> Bool
    /// Records one poll of the client. Exactly one poll redeems an approval and activates its
    /// grant. No poll does if the installation that approved it was deleted.
    func pollApproval(
        requestHash: [UInt8], client: Identifier<Client>, generation: Int64, now: Timestamp
    ) async throws -> ApprovalPollOutcome

    /// Inserts the enrollment, or replaces its push token.
    func save(_ enrollment: ApprovalEnrollment) async throws
    func approvalEnrollment(
        of installation: Identifier<Installation>
    ) async throws -> ApprovalEnrollment?
    func approvalEnrollments(
        of person: Identifier<Person>
    ) async throws -> [ApprovalEnrollment]
    /// Deletes the enrollment. Returns `false` if there was none.
    func removeApprovalEnrollment(of installation: Identifier<Installation>) async throws -> Bool
}

/// The decision of a person in an installation.
package struct ApprovalDecision: Sendable, Equatable {
    package var approval: Identifier<Approval>
    package var person: Identifier<Person>
    package var installation: Identifier<Installation>
    /// The grant for the client; `nil` for a denial.
    package var grant: Grant?
    /// The signed response of the installation.
    package var answer: String

    package init(
        approval: Identifier<Approval>, person: Identifier<Person>,
        installation: Identifier<Installation>, grant: Grant?, answer: String
    ) {
        self.approval = approval
        self.person = person
        self.installation = installation
        self.grant = grant
        self.answer = answer
    }
}

package enum ApprovalPollOutcome: Sendable, Equatable {
    case pending
    /// The client polled too early; the interval was increased by five seconds.
    case slowDown
    case denied
    case approved(Grant, Approval)
    case expired
    case unknown
}
